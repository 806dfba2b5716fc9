import { floatFields } from '../../../src/engine/describe/describe.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { AppError } from '../../../src/errors.ts';
import { readBody } from '../../../src/http/http.ts';
import { limits } from '../../../src/limits.ts';
import { faultOf, legacyFaultOf, type RpcErrorLike, RpcParseError } from '../faults.ts';
import { thrown } from '../refusals.ts';
import { callService } from '../services.ts';
import type { RpcAnswer, Visit } from '../visit.ts';
import { decodeCall } from './decode.ts';
import { encodeFault, encodeJsonText, encodeResponse } from './encode.ts';

const HEADERS = { 'content-type': 'text/xml; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** `POST /xmlrpc/2/<service>`, and `/xmlrpc/<service>` with fault codes that are texts. Faults are HTTP 200 too. */
export async function answerXml(
  visit: Visit,
  request: Request,
  service: string,
  legacy: boolean,
): Promise<Response> {
  let status = 200;
  let text: string;
  try {
    const body = await readBody(request, service === 'object' ? limits.rpc.body : limits.rpc.smallBody);
    const { method, params } = decodeCall(body);
    text = encode(await callService(visit, service, method, params));
  } catch (error) {
    if (isTooLarge(error)) status = 413;
    text = faultText(thrown(visit, error), legacy);
  }
  return new Response(text, { status, headers: { ...HEADERS, 'x-request-id': visit.requestId } });
}

function encode({ result, model }: RpcAnswer): string {
  if (!(result instanceof RawJson)) return encodeResponse(result);
  return encodeJsonText(result.text, model && floatFields(model));
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RpcParseError ? error.tooLarge : error instanceof AppError && error.status === 413;

function faultText(error: RpcErrorLike, legacy: boolean): string {
  const { code, text } = legacy ? legacyFaultOf(error) : faultOf(error);
  return encodeFault(code, text);
}
