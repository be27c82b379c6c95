// The console works without this file. It says which time zone the reader has, so that times need no question.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = new URLSearchParams(location.search).get("zone");
  if (!zone || known || sessionStorage.getItem("zone") === zone || !document.querySelector("main time")) return;
  sessionStorage.setItem("zone", zone);
  const address = new URL(location.href);
  address.searchParams.set("zone", zone);
  fetch(address, { credentials: "same-origin" });
})();
