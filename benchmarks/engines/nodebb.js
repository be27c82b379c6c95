// Renders pages of NodeBB by the templates of a theme: reads requests on standard input, writes their markup as a JSON list.
const fs = require('fs');
const path = require('path');
const modules = process.argv[2];
const benchpress = require(path.join(modules, 'benchpressjs'));

const themeOf = name => path.join(modules, `nodebb-theme-${name}`);
const found = (theme, name) => {
  for (const each of [theme, ...(BASES[theme] || [])]) {
    const file = path.join(themeOf(each), 'templates', name);
    if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8');
  }
  return '';
};
const BASES = { peace: ['harmony'], lavender: ['persona'] };
const whole = (theme, name) => found(theme, name).replace(/<!-- IMPORT (\S+) -->/g, (_, part) => whole(theme, part));
const escaped = text => String(text ?? '').replace(/[&<>"]/g, each => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each]);
const avatar = (user, size, rounded, classes) => {
  const given = `title="${escaped(user.username)}" data-uid="${user.uid}" class="avatar ${classes || ''}${rounded ? ' avatar-rounded' : ''}"`;
  return user.picture
    ? `<img ${given} alt="${escaped(user.username)}" loading="lazy" src="${user.picture}" style="--avatar-size: ${size};">`
    : `<span ${given} component="avatar/icon" style="--avatar-size: ${size}; background-color: #795548">${user['icon:text']}</span>`;
};

function helpers(words) {
  const tx = (key, ...given) => {
    const name = String(key).split(':').pop();
    return words[name] || [name.replace(/[-_.]/g, ' '), ...given].join(' ');
  };
  return {
    tx, txEscape: each => each, txDisplayname: user => escaped((user || {}).username), escape: escaped,
    buildAvatar: (user, ...rest) => avatar(user, ...rest), renderShortcodeEmoji: text => escaped(text),
    generateWrote: post => `${words.wrote} <a class="permalink" href="/post/${post.pid}"><span class="timeago" title="${post.timestampISO}"></span></a>`,
    buildCategoryLabel: (category, tag) => `<${tag} href="/category/${category.slug}" class="badge px-1 text-truncate">${escaped(category.name)}</${tag}>`,
    buildCategoryIcon: () => '<span class="icon d-inline-flex"><i class="fa fa-fw fa-comments"></i></span>',
    generateTopicClass: () => '', humanReadableNumber: each => (each > 999 ? `${(each / 1000).toFixed(1)}k` : String(each)),
    formattedNumber: each => Number(each).toLocaleString('en'), isoTimeToLocaleString: each => each || '', increment: (a, b) => String(Number(a) + Number(b)),
    encodeURIComponent, concat: (...parts) => parts.join(''), greaterthan: (a, b) => Number(a) > Number(b),
    shouldHideReplyContainer: post => !post.replies.count, isNumber: each => !Number.isNaN(Number(each)), max: Math.max,
    localeToHTML: each => each, buildMetaTag: () => '', buildLinkTag: () => '', displayMenuItem: () => false, cacheBustedUrl: each => each,
  };
}

const LIST = { template: { category: true, name: 'category' }, privileges: {}, config: { relative_path: '', theme: { enableBreadcrumbs: true, mobileTopicTeasers: false }, topicPostSort: 'oldest_to_newest', usePagination: true, loggedIn: false, userLang: 'en', timeagoCutoff: 30 }, widgets: {}, pagination: { pages: [] } };
const user = (name, pictured) => ({ username: name, displayname: name, userslug: encodeURIComponent(name), uid: name.length * 7, picture: pictured ? `/assets/${name.length}.png` : '', 'icon:text': name[0].toUpperCase(), postcount: 311, reputation: 27, status: 'offline', selectedGroups: [], custom_profile_info: [] });

function thread(topic) {
  const posts = topic.posts.map(post => ({ index: post.number, pid: 100 + post.number, tid: 7, timestampISO: post.time, relativeTime: post.time, content: post.html, votes: post.votes, upvotes: post.votes, downvotes: 0, user: { ...user(post.author, post.pictured), signature: post.signature }, replies: { count: 0, users: [], text: '' }, editor: null, events: [] }));
  return { ...LIST, tid: 7, cid: 3, url: '/topic/7', title: topic.title, postcount: posts.length, viewcount: topic.views, postercount: 4, category: { name: topic.words.posts, slug: '3', icon: 'fa-x', bgColor: '#fff' }, posts, tags: [], thumbs: [], icons: [] };
}
function list(topics) {
  const lines = topics.map((topic, index) => ({ index, tid: index + 40, cid: 3, slug: `${index + 40}/topic`, title: topic.title, timestampISO: topic.time, postcount: topic.replies + 1, viewcount: topic.views, votes: topic.posts[0].votes, user: user(topic.author, topic.posts[0].pictured), teaser: { pid: 900 + index, index: topic.replies + 1, timestampISO: topic.last_time, content: `<p>${topic.teaser}</p>`, user: user(topic.last_author, false) }, unreplied: !topic.replies, category: { name: 'x', slug: '3', bgColor: '#fff' }, tags: [], thumbs: [], icons: [] }));
  return { ...LIST, cid: 3, name: topics[0].words.posts, totalTopicCount: 512, totalPostCount: 9001, category: {}, topics: lines, children: [] };
}

(async () => {
  const made = [];
  for (const { theme, language, topics } of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    const words = topics[0].words;
    const source = whole(theme, topics.length > 1 ? 'category.tpl' : 'topic.tpl');
    const data = topics.length > 1 ? list(topics) : thread(topics[0]);
    const known = helpers(words);
    for (const [name, help] of Object.entries(known)) benchpress.registerHelper(name, help);
    const rendered = await benchpress.compileRender(source, data);
    const body = rendered.replace(/\[\[(?:[\w-]+:)?([\w.-]+)[^\]]*\]\]/g, (_, key) => known.tx(key));
    made.push(`<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(topics[0].title)}</title></head><body><main id="panel" class="slideout-panel"><nav class="navbar"><a href="/">NodeBB</a> <a href="/recent">recent</a> <a href="/tags">tags</a></nav><div class="container-lg px-md-4" id="content">${body}</div></main></body></html>`);
  }
  process.stdout.write(JSON.stringify(made));
})();
