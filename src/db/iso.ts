/** SQL of a timestamp column as an ISO string with milliseconds and Z. */
export const iso = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
