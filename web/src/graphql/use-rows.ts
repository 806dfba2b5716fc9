import type { AnyVariables, DocumentInput } from '@urql/core';
import { useRef } from 'react';
import { client } from './client.ts';
import { useReloadOnChange } from './live.ts';
import { createPagedRows, PAGE_SIZE, type RowPage } from './paged-rows.ts';
import { toRequestFailure } from './request-error.ts';
import { type RowState, useRowSource } from './row-source.ts';

export interface Rows<Row> extends RowState<Row> {
  look(first: number, last: number): void;
  reload(): void;
}

export function useRows<Data, Variables extends AnyVariables, Row>(
  document: DocumentInput<Data, Variables & { first: number; offset: number }>,
  variables: Variables,
  pick: (data: Data) => RowPage<Row>,
): Rows<Row> {
  const latest = useRef({ document, variables, pick });
  latest.current = { document, variables, pick };
  return useRowSource(JSON.stringify(variables), (onChange) =>
    createPagedRows<Row>((page, isFresh, onResult) => {
      const { document, variables, pick } = latest.current;
      const all = { ...variables, first: PAGE_SIZE, offset: page * PAGE_SIZE };
      const requestPolicy = isFresh ? 'network-only' : 'cache-and-network';
      return client
        .query(document, all as never, { requestPolicy })
        .subscribe(({ data, error }) =>
          onResult({ page: data && pick(data), failure: error ? toRequestFailure(error) : null }),
        );
    }, onChange),
  );
}

/** Like `useRows`, but also loads the rows again when records of the model change. */
export function useLiveRows<Data, Variables extends AnyVariables, Row>(
  document: DocumentInput<Data, Variables & { first: number; offset: number }>,
  variables: Variables,
  pick: (data: Data) => RowPage<Row>,
  model: string,
): Rows<Row> {
  const rows = useRows(document, variables, pick);
  useReloadOnChange(model, rows.reload);
  return rows;
}
