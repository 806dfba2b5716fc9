import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { toFinalError } from '../../src/engine/ctx/after-change.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toCamelCase } from '../../src/engine/model/naming.ts';
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts';
import type { AppError } from '../../src/errors.ts';
import { toPublicError } from '../../src/http/http.ts';
import { type AskedOperation, argumentAbout, argumentOfMistake } from './argument-path.ts';
import { graphFieldOf, namesOfField } from './graph-field.ts';
import { hintOf } from './hint.ts';

/** What a client finds in `extensions` of an error; docs/guides/errors.md explains each. */
interface ErrorExtensions {
  code: ErrorCode;
  status: number;
  argument?: string | undefined;
  model?: string | undefined;
  field?: string | undefined;
  graphField?: string | undefined;
  hint?: string | undefined;
  requestId: string;
}

/**
 * The result with each error in its public form: what the caller may know, and nothing of what went wrong inside.
 * Fields that are null because the caller may not see them are named once in `extensions.hidden`.
 */
export function shapeErrors(ctx: Ctx, result: ExecutionResult, asked?: AskedOperation): ExecutionResult {
  const extensions = ctx.hidden.size > 0 ? { extensions: { hidden: [...ctx.hidden].sort() } } : {};
  if (!result.errors) return { ...result, ...extensions };
  const errors = result.errors.map((error) => shape(ctx, error, asked));
  return {
    errors,
    ...('data' in result && { data: result.data }),
    ...extensions,
  } as unknown as ExecutionResult;
}

function shape(ctx: Ctx, error: GraphQLError, asked?: AskedOperation): GraphQLFormattedError {
  const { locations, path } = error;
  const cause = causeOf(error) ?? (isMisfit(error) ? error : undefined);
  if (!cause)
    return { message: wording(ctx, error), locations, path, extensions: { ...mistake(ctx, error, asked) } };
  const refusal = toPublicError(ctx.runtime, toFinalError(ctx, cause), ctx.requestId);
  const { message, details: facts } = refusal;
  const { field } = facts;
  const graphField = graphFieldOf(ctx, facts);
  const names = facts.argument ? [toCamelCase(facts.argument)] : field ? namesOfField(field, graphField) : [];
  const argument = argumentAbout(error.nodes?.[0], asked, names) ?? facts.argument;
  const more = { argument, graphField, hint: hintOf(ctx, message, facts) };
  return { message, locations, path, extensions: { ...extensionsOf(refusal, ctx.requestId, more) } };
}

/** The facts of a refusal as extensions. What is not known is left out of the JSON. */
export const extensionsOf = (
  { kind, status, details: { model, field, argument } }: AppError,
  requestId: string,
  more: Pick<ErrorExtensions, 'argument' | 'graphField' | 'hint'> = {},
): ErrorExtensions => ({ code: kind, status, argument, model, field, ...more, requestId });

/** A mistake of the document or its variables. */
function mistake(ctx: Ctx, error: GraphQLError, asked?: AskedOperation): ErrorExtensions {
  const given = String(error.extensions?.code ?? 'BAD_VALUE');
  // Libraries have codes of their own.
  const code = Object.hasOwn(errorCodes, given) ? (given as ErrorCode) : 'BAD_REQUEST';
  return {
    code,
    status: errorCodes[code].status,
    argument: argumentOfMistake(error, asked),
    hint: hintOf(ctx, error.message),
    requestId: ctx.requestId,
  };
}

/** What was thrown by code of ours or below it; undefined when the document itself is wrong. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError && causeOf(error.originalError);
}

/** Whether a value of ours does not fit its type in the schema. Only a result has a path; a variable has none. */
const isMisfit = ({ path, message }: GraphQLError): boolean => path !== undefined && MISFIT.test(message);

const MISFIT = /^(?:Enum "\w+" cannot represent value|\w+ cannot represent)/;

/** Suggestions would reveal names of the schema to a caller without a credential. */
const wording = (ctx: Ctx, { message }: GraphQLError): string =>
  ctx.principal ? message : message.replace(/ Did you mean .*$/s, '');
