/** An SQL expression: a product as it is called, `[DESK-160] Desk`, of the expressions of its code and its name. */
export const referenceSql = (code: string, name: string): string =>
  `(coalesce('[' || nullif(${code}, '') || '] ', '') || ${name})`;
