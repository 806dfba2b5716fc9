/** HTML elements that are kept. Other elements are replaced by their content. */
export const ALLOWED_TAGS = (
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd ' +
  'del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main ' +
  'mark ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead tr tt ' +
  'u ul var wbr'
).split(' ');

/** Elements that are removed with their content. */
export const REMOVED_TAGS: ReadonlySet<string> = new Set(
  (
    'script style textarea option select datalist noscript title template svg math iframe object applet noembed ' +
    'noframes xmp plaintext audio video canvas meter progress rp'
  ).split(' '),
);

/** Elements that are replaced by their content, or by a `div` if they hide it. */
export const UNWRAPPED_TAGS: ReadonlySet<string> = new Set(
  'body button details dialog fieldset form hgroup label legend menu nav summary'.split(' '),
);

const ALLOWED_TAG_SET = new Set(ALLOWED_TAGS);

export const isAllowedTag = (name: string): boolean => ALLOWED_TAG_SET.has(name);
