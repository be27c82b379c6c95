// Runs in an isolated world, which the page's scripts can neither see nor change.
// Returns an object: still() – milliseconds since the text last changed; text() – length of the text; step() – press "more"
// buttons, scroll down, return the number of presses; content(most) – the page as HTML, null if longer than `most`.
(() => {
  const MORE = new RegExp(
    "^(?:(?:点击|加载|查看|显示|展开|浏览|载入|点我|继续){1,2}(?:更多|全部|剩余|其余|所有|全文|下文|余下)|(?:更多|全部|剩余|其余|所有)" +
    "(?=.*(?:评论|回复|留言|跟帖|回答))|阅读全文|展开全文|(?:点击|下拉|上拉)加载|展开$|" +
    "(?:load|show|view|see|read|display)\\s(?:\\d+\\s)?(?:more|all|previous|older|remaining)|more\\s(?:comments|replies|answers|reviews|posts)|" +
    "older\\scomments|(?:load|show)\\s\\d+\\s(?:comments|replies)|continue\\sreading|load\\scomments|show\\scomments|(?:查看|加载|显示|展开)(?:\\d+条)?(?:评论|回复|留言))", "i");
  const LONGEST = 30, NODES = 50000, PRESSES = 8, SHADOWS = 30, SCREENS = 20;
  const LEFT_OUT = new Set(["SCRIPT", "STYLE", "LINK", "TEMPLATE", "SVG", "svg", "CANVAS", "NOSCRIPT", "IFRAME", "OBJECT", "EMBED"]);
  const EMPTY = new Set("AREA BASE BR COL EMBED HR IMG INPUT LINK META PARAM SOURCE TRACK WBR".split(" "));
  const pressed = new Map();
  let changed = performance.now();
  const watcher = new MutationObserver(() => { changed = performance.now(); });
  const watch = root => watcher.observe(root, { childList: true, characterData: true, subtree: true });
  watch(document);

  const roots = () => {
    const found = [document];
    for (const root of found) {
      if (found.length > SHADOWS) break;
      let seen = 0;
      for (const element of root.querySelectorAll("*")) {
        if (++seen > NODES) break;
        if (element.shadowRoot && !found.includes(element.shadowRoot)) found.push(element.shadowRoot);
      }
    }
    return found;
  };

  const staysHere = element => {
    const link = element.closest("a[href]");
    const target = link ? link.getAttribute("href").trim().toLowerCase() : "";
    return !target || target.startsWith("#") || target.startsWith("javascript:");
  };

  const isPressable = element =>
    staysHere(element) && !element.disabled && element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest("nav,header,footer,[aria-disabled=true],form[action]") && (pressed.get(element) || 0) < 100;

  const buttons = () => {
    const found = new Set();
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let seen = 0; seen < NODES && found.size < PRESSES && walker.nextNode(); seen++) {
        const text = walker.currentNode.data;
        if (text.length > 200) continue;
        const said = text.replace(/\s+/g, " ").trim();
        if (!said || said.length > LONGEST || !MORE.test(said)) continue;
        const parent = walker.currentNode.parentElement;
        const element = parent && (parent.closest("button,a,[role=button],summary") || parent);
        if (element && isPressable(element)) found.add(element);
      }
    }
    return found;
  };

  const frame = () => new Promise(done => { requestAnimationFrame(() => setTimeout(done, 0)); setTimeout(done, 100); });

  const scroll = async () => {
    const whole = document.scrollingElement || document.documentElement;
    let seen = 0;
    for (const element of document.querySelectorAll("main,section,article,div,ul")) {
      if (++seen > 3000) break;
      if (element.scrollHeight > element.clientHeight + 100 && element.clientHeight > 150 &&
          /auto|scroll/.test(getComputedStyle(element).overflowY)) element.scrollTop = element.scrollHeight;
    }
    // scroll from the top, one screen at a time: lazy elements must first have been out of sight
    window.scrollTo(0, 0);
    for (let screen = 1; screen <= SCREENS; screen++) {
      await frame();
      const end = whole ? whole.scrollHeight : 0;
      window.scrollTo(0, screen === SCREENS ? end : Math.min(end, window.scrollY + window.innerHeight));
      if (window.scrollY + window.innerHeight >= end - 1) break;
    }
    await frame();
  };

  const textLength = () => roots().reduce((sum, root) => {
    const top = root === document ? document.body : root;
    return sum + (top ? top.textContent.length : 0);
  }, 0);

  const step = async () => {
    for (const root of roots()) if (root !== document) watch(root);
    let presses = 0;
    for (const element of buttons()) {
      pressed.set(element, (pressed.get(element) || 0) + 1);
      element.click();
      presses++;
    }
    await scroll();
    return presses;
  };

  const escapeText = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const escapeValue = text => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

  // Like outerHTML, with the content of shadow trees in place, without scripts, styles and canvases.
  const content = most => {
    const parts = ["<!DOCTYPE html>"];
    let left = most;
    const put = text => { left -= text.length; parts.push(text); };
    const isData = node => node.tagName === "SCRIPT" && /ld\+json/i.test(node.type);
    const childrenOf = node => {
      if (node.shadowRoot) return node.shadowRoot.childNodes;
      if (node.tagName === "SLOT" && node.assignedNodes().length) return node.assignedNodes();
      return node.childNodes;
    };
    const waiting = [document.documentElement];
    while (waiting.length && left > 0) {
      const node = waiting.pop();
      if (typeof node === "string") { put(node); continue; }
      if (!node) continue;
      if (node.nodeType === Node.TEXT_NODE) {
        put(node.parentNode && node.parentNode.nodeName === "SCRIPT" ? node.data : escapeText(node.data));
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const isCanonical = node.tagName === "LINK" && /canonical|alternate|next/i.test(node.rel);
      if (LEFT_OUT.has(node.tagName) && !isData(node) && !isCanonical) continue;
      const name = node.tagName.toLowerCase();
      let open = "<" + name;
      for (const attribute of node.attributes)
        if (attribute.name !== "style" && !attribute.name.startsWith("on") && attribute.value.length < 5000)
          open += " " + attribute.name + '="' + escapeValue(attribute.value) + '"';
      if (/display:\s*none/.test(node.getAttribute("style") || "")) open += ' style="display:none"';
      put(open + ">");
      if (EMPTY.has(node.tagName)) continue;
      waiting.push("</" + name + ">");
      const children = childrenOf(node);
      for (let place = children.length - 1; place >= 0; place--) waiting.push(children[place]);
    }
    return left > 0 ? parts.join("") : null;
  };

  return { still: () => performance.now() - changed, text: textLength, step, content };
})()
