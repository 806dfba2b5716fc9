import { toFixedBytes } from '../../../src/json-bounds.ts';
import { RpcParseError } from '../faults.ts';
import { decodeCall, type RpcCall } from './decode.ts';

export type LargeCall = { call: RpcCall } | { fault: { message: string; tooLarge: boolean } };

/** Runs `decodeCall` in a worker thread. */
export default function decodeLargeCall(bytes: Uint8Array): LargeCall {
  try {
    return { call: decodeCall(Buffer.from(toFixedBytes(bytes).buffer)) };
  } catch (error) {
    if (!(error instanceof RpcParseError)) throw error;
    return { fault: { message: error.message, tooLarge: error.tooLarge } };
  }
}
