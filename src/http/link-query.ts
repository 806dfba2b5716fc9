/**
 * The query of a link that was mailed. Some mail programs follow links as HTML writes them, with `&amp;` for `&`. Pure.
 */
export const parseLinkQuery = ({ url }: Pick<Request, 'url'>): URLSearchParams =>
  new URLSearchParams(new URL(url).search.replaceAll('&amp;', '&'));
