/** Some mail clients follow links as written in HTML, with `&amp;` for `&`. */
export const parseLinkQuery = ({ url }: Pick<Request, 'url'>): URLSearchParams =>
  new URLSearchParams(new URL(url).search.replaceAll('&amp;', '&'));
