import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { answerable } from '../../src/http/http.ts';

/** The result with each error in its public form: what the caller may know, and nothing of what went wrong inside. */
export function shapeErrors(ctx: Ctx, result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => shape(ctx, error));
  return { errors, ...('data' in result && { data: result.data }) } as unknown as ExecutionResult;
}

function shape(ctx: Ctx, error: GraphQLError): GraphQLFormattedError {
  const { locations, path } = error;
  const cause = causeOf(error);
  if (!cause) return { message: wording(ctx, error), locations, path, extensions: { code: codeOf(error) } };
  const refusal = answerable(ctx.runtime, cause, ctx.requestId);
  return {
    message: refusal.message,
    locations,
    path,
    extensions: { code: refusal.kind, status: refusal.status },
  };
}

/** What was thrown by code of ours or below it; undefined when the document itself is wrong. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError && causeOf(error.originalError);
}

/** Suggestions would reveal names of the schema to a caller without a credential. */
const wording = (ctx: Ctx, { message }: GraphQLError): string =>
  ctx.principal ? message : message.replace(/ Did you mean .*$/s, '');

const codeOf = ({ extensions }: GraphQLError): unknown => extensions?.code ?? 'BAD_REQUEST';
