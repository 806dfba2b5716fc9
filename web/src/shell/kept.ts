import { change, client } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { sayWrong } from '../ui/toasts.tsx';
import { useAnswer } from './answer.ts';
import { KeptDocument, type KeptQuery, KeptSaveDocument } from './generated.ts';

/** What the server keeps for the person under a name. */
export interface Kept {
  /** Undefined where there is nothing, and while it is asked for. */
  value: unknown;
  /** Null for nothing again. What is refused is said. */
  keep(value: unknown): Promise<void>;
}

export function useKept(name: string): Kept {
  const { data, reload } = useAnswer(KeptDocument, {});
  const keep = async (value: unknown) => {
    const refusal = await save(name, value);
    if (refusal) sayWrong(refusal.message);
    else reload();
  };
  return { value: valueIn(data, name), keep };
}

/** What the server keeps now, which another tab may have changed. Undefined where it does not answer. */
export async function askKept(name: string): Promise<unknown> {
  const { data } = await client.query(KeptDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  return valueIn(data, name);
}

/** Keeps what nobody misses: that it is refused is not said. Who reads it next has it. */
export async function keepQuietly(name: string, value: unknown): Promise<void> {
  if (!(await save(name, value))) await askKept(name);
}

async function save(name: string, value: unknown) {
  try {
    await change(KeptSaveDocument, { values: { [name]: value } });
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.refusal;
  }
}

const valueIn = (data: KeptQuery | undefined, name: string): unknown =>
  (data?.uiState.values as Record<string, unknown> | undefined)?.[name];
