// biome-ignore-all lint/suspicious/noExplicitAny: answers of any method, whose shape is what is looked at
import { type Comparison, type Difference, differences } from './compare.ts';
import type { Exchange } from './fixture.ts';
import { decodeAnswer } from './xml.ts';

/** An answer of ours, as it came. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Where an answer differs from the recorded one; empty when a client sees no difference that counts. */
export function judge(exchange: Exchange, answer: Answer, how: Comparison): Difference[] {
  const found = [...status(exchange, answer), ...headers(exchange, answer)];
  if (found.length > 0) return [...found, { at: 'body', expected: '', got: answer.text.slice(0, 300) }];
  if (exchange.names !== undefined) return names(exchange.names, answer, how);
  if (exchange.answerText !== undefined && answer.text !== exchange.answerText)
    return [{ at: 'text', expected: exchange.answerText, got: answer.text.slice(0, 300) }];
  if (exchange.answer === undefined || exchange.type === 'text/html') return [];
  return body(exchange, answer, how);
}

/** A plain mistake of the client is no failure of the server: what was 500 there is one of these here. */
const CLIENT_ERRORS = [400, 404, 409, 422];

function status({ status, answer: shape }: Exchange, answer: Answer): Difference[] {
  const isMistake = status === 500 && typeof shape === 'object';
  const agrees = isMistake ? CLIENT_ERRORS.includes(answer.status) : answer.status === status;
  return agrees
    ? []
    : [{ at: 'status', expected: isMistake ? '422 (500 there)' : status, got: answer.status }];
}

function headers(exchange: Exchange, answer: Answer): Difference[] {
  const found: Difference[] = [];
  const given = (name: string): string => String(answer.headers[name] ?? '');
  const type = given('content-type').split(';')[0];
  const wanted = exchange.type ?? (exchange.request.includes(' /xmlrpc') ? 'text/xml' : 'application/json');
  const mayBeJson =
    exchange.status >= 400 && exchange.type?.startsWith('text/') && type === 'application/json';
  if (exchange.answer !== undefined && type !== wanted && !mayBeJson)
    found.push({ at: 'content-type', expected: wanted, got: type });
  for (const [name, value] of Object.entries(exchange.answerHeaders ?? {}))
    if (!given(name).toLowerCase().startsWith(value.trim().toLowerCase()))
      found.push({ at: name, expected: value, got: given(name) });
  if (exchange.etag && !given('etag')) found.push({ at: 'etag', expected: 'an etag', got: '' });
  return found;
}

function names(letters: string, answer: Answer, how: Comparison): Difference[] {
  const got = parsed(answer.text);
  const lab = Object.fromEntries([...'ABCDEF'].map((name, i) => [how.ids.get('x_lab', i + 1), name]));
  const found = Array.isArray(got) ? got.map((id) => lab[id] ?? `?${id}`).join('') : got;
  return found === letters ? [] : [{ at: 'names', expected: letters, got: found }];
}

function body(exchange: Exchange, answer: Answer, how: Comparison): Difference[] {
  const shape = exchange.answer as Record<string, any> | null;
  const isShape = shape !== null && typeof shape === 'object';
  if (exchange.request.includes(' /xmlrpc')) {
    const result = decodeAnswer(answer.text);
    if (isShape && '$fault' in shape) return fault(shape, result);
    return 'fault' in result
      ? [{ at: 'fault', expected: exchange.answer, got: result.fault }]
      : differences(exchange.answer, result.value, how);
  }
  const got = parsed(answer.text);
  if (isShape && '$error' in shape) return refusal(shape, got);
  if (isShape && '$rpcError' in shape) return rpcRefusal(shape, got);
  return differences(exchange.answer, got, how);
}

const KEYS = 'name,message,arguments,context,debug';

function refusal(shape: Record<string, any>, got: any): Difference[] {
  const keys = Object.keys(got ?? {}).join();
  if (keys !== KEYS) return [{ at: 'keys', expected: KEYS, got: keys }];
  const found: Difference[] = [];
  if (!sameClass(shape.$error, got.name))
    found.push({ at: 'name', expected: shape.$error, got: `${got.name}: ${got.message}` });
  const count = Array.isArray(got.arguments) ? got.arguments.length : -1;
  if (count !== (shape.arguments ?? 1) && !isIncidental(shape.$error))
    found.push({ at: 'arguments', expected: shape.arguments ?? 1, got: got.arguments });
  if (typeof got.message !== 'string' || typeof got.context !== 'object' || typeof got.debug !== 'string')
    found.push({ at: 'types', expected: 'text, object, text', got });
  return [...found, ...tokens(shape.tokens, got.message)];
}

/** Python's own exceptions: which one it is there follows from the line that failed, and no client tests for it. */
const isIncidental = (name: string): boolean =>
  /^(builtins|psycopg2)\./.test(name) || name.endsWith('RedirectWarning');
const MISTAKES =
  /^(builtins\.|odoo\.exceptions\.(UserError|ValidationError|MissingError)$|werkzeug\.exceptions\.(UnprocessableEntity|NotFound|BadRequest)$)/;

const sameClass = (there: string, here: unknown): boolean =>
  there === here || (isIncidental(there) && MISTAKES.test(String(here)));

function tokens(wanted: string[] | undefined, message: string): Difference[] {
  return (wanted ?? [])
    .filter((token) => !String(message).includes(token))
    .map((token) => ({ at: 'message', expected: `names ${token}`, got: message }));
}

function rpcRefusal(shape: Record<string, any>, got: any): Difference[] {
  const keys = Object.keys(got ?? {}).join();
  if (keys !== 'jsonrpc,id,error') return [{ at: 'keys', expected: 'jsonrpc,id,error', got }];
  const { code, data } = got.error;
  const found: Difference[] = [];
  if (Object.keys(got.error).join() !== 'code,message,data' || Object.keys(data ?? {}).join() !== KEYS)
    found.push({ at: 'error', expected: `code,message,data{${KEYS}}`, got: got.error });
  if (code !== shape.code) found.push({ at: 'code', expected: shape.code, got: code });
  if (got.id !== shape.id) found.push({ at: 'id', expected: shape.id, got: got.id });
  if (!sameClass(shape.$rpcError, data?.name))
    found.push({ at: 'name', expected: shape.$rpcError, got: `${data?.name}: ${data?.message}` });
  return [...found, ...tokens(shape.tokens, data?.message)];
}

function fault(shape: Record<string, any>, result: ReturnType<typeof decodeAnswer>): Difference[] {
  if (!('fault' in result)) return [{ at: 'fault', expected: shape.$fault, got: result.value }];
  const { faultCode, faultString } = result.fault;
  const isWarning = typeof shape.$fault === 'string' && shape.$fault.startsWith('warning');
  const same =
    shape.$fault === '$text'
      ? typeof faultCode === 'string'
      : isWarning
        ? String(faultCode).startsWith(`${shape.$fault}\n\n`)
        : faultCode === shape.$fault;
  const found: Difference[] = [];
  if (!same) found.push({ at: 'faultCode', expected: shape.$fault, got: result.fault });
  if (typeof faultString !== 'string' || (shape.empty && faultString !== ''))
    found.push({ at: 'faultString', expected: shape.empty ? '' : 'text', got: faultString });
  return [...found, ...tokens(shape.tokens, `${faultCode} ${faultString}`)];
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
