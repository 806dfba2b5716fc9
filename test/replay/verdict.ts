// biome-ignore-all lint/suspicious/noExplicitAny: responses of any method; the comparison inspects their shape
import { type Comparison, type Difference, findDifferences } from './compare.ts';
import type { Exchange } from './fixture.ts';
import { decodeResponse } from './xml.ts';

export interface ReplayResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export function compareResponse(
  exchange: Exchange,
  response: ReplayResponse,
  comparison: Comparison,
): Difference[] {
  const differences = [...compareStatus(exchange, response), ...compareHeaders(exchange, response)];
  if (differences.length > 0)
    return [...differences, { at: 'body', expected: '', actual: response.text.slice(0, 300) }];
  if (exchange.names !== undefined) return compareNames(exchange.names, response, comparison);
  if (exchange.answerText !== undefined && response.text !== exchange.answerText)
    return [{ at: 'text', expected: exchange.answerText, actual: response.text.slice(0, 300) }];
  if (exchange.answer === undefined || exchange.type === 'text/html') return [];
  return compareBody(exchange, response, comparison);
}

/** Client errors must not be reported as server errors: a recorded 500 corresponds to one of these. */
const CLIENT_ERRORS = [400, 404, 409, 422];

function compareStatus({ status, answer: shape }: Exchange, response: ReplayResponse): Difference[] {
  const isMistake = status === 500 && typeof shape === 'object';
  const agrees = isMistake ? CLIENT_ERRORS.includes(response.status) : response.status === status;
  return agrees
    ? []
    : [{ at: 'status', expected: isMistake ? '422 (500 there)' : status, actual: response.status }];
}

function compareHeaders(exchange: Exchange, response: ReplayResponse): Difference[] {
  const differences: Difference[] = [];
  const getHeader = (name: string): string => String(response.headers[name] ?? '');
  const type = getHeader('content-type').split(';')[0];
  const expectedType =
    exchange.type ?? (exchange.request.includes(' /xmlrpc') ? 'text/xml' : 'application/json');
  const mayBeJson =
    exchange.status >= 400 && exchange.type?.startsWith('text/') && type === 'application/json';
  if (exchange.answer !== undefined && type !== expectedType && !mayBeJson)
    differences.push({ at: 'content-type', expected: expectedType, actual: type });
  for (const [name, value] of Object.entries(exchange.answerHeaders ?? {}))
    if (!getHeader(name).toLowerCase().startsWith(value.trim().toLowerCase()))
      differences.push({ at: name, expected: value, actual: getHeader(name) });
  if (exchange.etag && !getHeader('etag')) differences.push({ at: 'etag', expected: 'an etag', actual: '' });
  return differences;
}

function compareNames(letters: string, response: ReplayResponse, comparison: Comparison): Difference[] {
  const actual = parseJsonOrText(response.text);
  const lab = Object.fromEntries([...'ABCDEF'].map((name, i) => [comparison.ids.get('x_lab', i + 1), name]));
  const names = Array.isArray(actual) ? actual.map((id) => lab[id] ?? `?${id}`).join('') : actual;
  return names === letters ? [] : [{ at: 'names', expected: letters, actual: names }];
}

function compareBody(exchange: Exchange, response: ReplayResponse, comparison: Comparison): Difference[] {
  const shape = exchange.answer as Record<string, any> | null;
  const isShape = shape !== null && typeof shape === 'object';
  if (exchange.request.includes(' /xmlrpc')) {
    const result = decodeResponse(response.text);
    if (isShape && '$fault' in shape) return compareFault(shape, result);
    return 'fault' in result
      ? [{ at: 'fault', expected: exchange.answer, actual: result.fault }]
      : findDifferences(exchange.answer, result.value, comparison);
  }
  const actual = parseJsonOrText(response.text);
  if (isShape && '$error' in shape) return compareError(shape, actual);
  if (isShape && '$rpcError' in shape) return compareRpcError(shape, actual);
  return findDifferences(exchange.answer, actual, comparison);
}

const ERROR_KEYS = 'name,message,arguments,context,debug';

function compareError(shape: Record<string, any>, actual: any): Difference[] {
  const keys = Object.keys(actual ?? {}).join();
  if (keys !== ERROR_KEYS) return [{ at: 'keys', expected: ERROR_KEYS, actual: keys }];
  const differences: Difference[] = [];
  if (!isSameClass(shape.$error, actual.name))
    differences.push({ at: 'name', expected: shape.$error, actual: `${actual.name}: ${actual.message}` });
  const count = Array.isArray(actual.arguments) ? actual.arguments.length : -1;
  if (count !== (shape.arguments ?? 1) && !isIncidental(shape.$error))
    differences.push({ at: 'arguments', expected: shape.arguments ?? 1, actual: actual.arguments });
  if (
    typeof actual.message !== 'string' ||
    typeof actual.context !== 'object' ||
    typeof actual.debug !== 'string'
  )
    differences.push({ at: 'types', expected: 'text, object, text', actual });
  return [...differences, ...findMissingTokens(shape.tokens, actual.message)];
}

/** Python's built-in exceptions depend on the line that failed, and no client checks for them. */
const isIncidental = (name: string): boolean =>
  /^(builtins|psycopg2)\./.test(name) || name.endsWith('RedirectWarning');
const CLIENT_MISTAKES =
  /^(builtins\.|odoo\.exceptions\.(UserError|ValidationError|MissingError)$|werkzeug\.exceptions\.(UnprocessableEntity|NotFound|BadRequest)$)/;

const isSameClass = (recordedClass: string, actualClass: unknown): boolean =>
  recordedClass === actualClass || (isIncidental(recordedClass) && CLIENT_MISTAKES.test(String(actualClass)));

function findMissingTokens(expected: string[] | undefined, message: string): Difference[] {
  return (expected ?? [])
    .filter((token) => !String(message).includes(token))
    .map((token) => ({ at: 'message', expected: `names ${token}`, actual: message }));
}

function compareRpcError(shape: Record<string, any>, actual: any): Difference[] {
  const keys = Object.keys(actual ?? {}).join();
  if (keys !== 'jsonrpc,id,error') return [{ at: 'keys', expected: 'jsonrpc,id,error', actual }];
  const { code, data } = actual.error;
  const differences: Difference[] = [];
  if (
    Object.keys(actual.error).join() !== 'code,message,data' ||
    Object.keys(data ?? {}).join() !== ERROR_KEYS
  )
    differences.push({ at: 'error', expected: `code,message,data{${ERROR_KEYS}}`, actual: actual.error });
  if (code !== shape.code) differences.push({ at: 'code', expected: shape.code, actual: code });
  if (actual.id !== shape.id) differences.push({ at: 'id', expected: shape.id, actual: actual.id });
  if (!isSameClass(shape.$rpcError, data?.name))
    differences.push({ at: 'name', expected: shape.$rpcError, actual: `${data?.name}: ${data?.message}` });
  return [...differences, ...findMissingTokens(shape.tokens, data?.message)];
}

function compareFault(shape: Record<string, any>, result: ReturnType<typeof decodeResponse>): Difference[] {
  if (!('fault' in result)) return [{ at: 'fault', expected: shape.$fault, actual: result.value }];
  const { faultCode, faultString } = result.fault;
  const isWarning = typeof shape.$fault === 'string' && shape.$fault.startsWith('warning');
  const isSame =
    shape.$fault === '$text'
      ? typeof faultCode === 'string'
      : isWarning
        ? String(faultCode).startsWith(`${shape.$fault}\n\n`)
        : faultCode === shape.$fault;
  const differences: Difference[] = [];
  if (!isSame) differences.push({ at: 'faultCode', expected: shape.$fault, actual: result.fault });
  if (typeof faultString !== 'string' || (shape.empty && faultString !== ''))
    differences.push({ at: 'faultString', expected: shape.empty ? '' : 'text', actual: faultString });
  return [...differences, ...findMissingTokens(shape.tokens, `${faultCode} ${faultString}`)];
}

function parseJsonOrText(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
