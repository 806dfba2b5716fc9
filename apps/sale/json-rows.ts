/** An SQL expression: the rows of a query as one JSON list, so that a statement may bring several of them. */
export const jsonRows = (query: string): string => `(select coalesce(json_agg(x), '[]') from (${query}) x)`;
