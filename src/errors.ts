import { type ErrorCode, errorCodes } from './error-codes.ts';
import { limits } from './limits.ts';
import { isSecretName } from './secret-names.ts';

export const MAX_ERROR_MESSAGE_CHARS = 4_000;

/**
 * The stable codes of errors that callers receive. A facade converts an AppError to its own format and never parses
 * messages. The excluded codes are errors in a GraphQL document.
 */
export type ErrorKind = Exclude<
  ErrorCode,
  'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'TOO_COMPLEX'
>;

export interface ErrorDetails {
  /** Dotted name, such as `crm.lead`. */
  model?: string;
  /** Name in the record API, such as `stage_id`. */
  field?: string;
  method?: string;
  /** Path of the invalid input, such as `input.stageId`. */
  argument?: string;
  /** The invalid value, used to suggest a correction. Not shown. */
  value?: unknown;
  /** Actual number of records, if the expected number is wrong. */
  count?: number;
  /** Sentence that says how to correct the input, for agents. Other callers get the text that Odoo's clients expect. */
  advice?: string;
}

/** An error meant for the caller. Any other error is unexpected and is masked. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  details: ErrorDetails = {};
  constructor(kind: ErrorKind, message: string, status: number = errorCodes[kind].status) {
    super(
      message.length > MAX_ERROR_MESSAGE_CHARS ? `${message.slice(0, MAX_ERROR_MESSAGE_CHARS)}…` : message,
    );
    this.name = 'AppError';
    this.kind = kind;
    this.status = status;
  }

  withDetails(facts: ErrorDetails): this {
    this.details = { ...this.details, ...facts };
    return this;
  }
}

export const DATE_ADVICE = 'Write dates as YYYY-MM-DD, and times as YYYY-MM-DD HH:MM:SS, in UTC.';

const MESSAGE_PREFIX = 'The operation cannot be completed: ';
const formatSuggestion = (suggestion: string | undefined): string =>
  suggestion ? ` Did you mean ${suggestion}?` : '';

const createFactory =
  (kind: ErrorKind) =>
  (message: string, details: ErrorDetails = {}, status?: number): AppError =>
    new AppError(kind, message, status).withDetails(details);

const unauthenticated = createFactory('UNAUTHENTICATED');
const accessDenied = createFactory('ACCESS_DENIED');
const accessError = createFactory('ACCESS_ERROR');
const forbidden = createFactory('FORBIDDEN');
const missing = createFactory('MISSING');
const validation = createFactory('VALIDATION');
const badValue = createFactory('BAD_VALUE');
const badSignature = createFactory('BAD_SIGNATURE');
const userError = createFactory('USER_ERROR');
const badRequest = createFactory('BAD_REQUEST');
const stale = createFactory('STALE');
const busy = createFactory('BUSY');

export const errors = {
  noCredential: () =>
    unauthenticated('User not authenticated, use an API Key with a Bearer Authorization header.'),
  invalidKey: () => unauthenticated('Invalid apikey'),
  agentsOnly: () => forbidden('This is an agent key. It only works with the MCP server.'),
  accessDenied: () => accessDenied('Access Denied'),
  tooManyLogins: () => accessDenied('Too many login failures, please wait a bit before trying again.'),
  modelAccess: (operation: string, label: string, model: string, groups: string[]) =>
    accessError(
      `You are not allowed to ${operation} '${label}' (${model}) records.\n\n${
        groups.length
          ? `This operation is allowed for the following groups:\n${groups.map((g) => `\t- ${g}`).join('\n')}`
          : 'No group currently allows this operation.'
      }\n\nContact your administrator to request access if necessary.`,
      { model },
    ),
  recordAccess: (operation: string, label: string, model: string, user: string, next = '') =>
    accessError(
      `${user} doesn't have '${operation}' access to some of these records:\n- ${label} (${model})\n\n` +
        `Ask an administrator for access.${next && `\n\n${next}`}`,
      { model },
    ),
  hiddenAfter: (label: string, model: string, ids: readonly number[], done: string) =>
    accessError(
      `The change was made, but you may not read all records that were ${done}: ${label} (${model}) ` +
        `${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ' …' : ''}. Do not repeat it; select only the id.`,
      { model },
    ),
  fieldAccess: (field: string, label: string, model: string, operation: string) =>
    accessError(
      `You do not have enough rights to access the field "${field}" on ${label} (${model}). Operation: ${operation}`,
      { model, field },
    ),
  maskedField: (label: string, field: string, model: string) =>
    accessError(
      `The field '${label}' (${field}) of ${model} holds a secret. It cannot be searched, sorted, grouped or ` +
        'aggregated.',
      { model, field },
    ),
  readonlyField: (label: string, field: string, model: string, methods: string[]) =>
    accessError(
      `The field '${label}' (${field}) of ${model} is readonly` +
        `${methods.length ? `: it is set by ${methods.join(', ')}` : ''}.`,
      { model, field },
    ),
  privateMethod: (model: string, method: string) =>
    accessError(`Private methods (such as '${model}.${method}') cannot be called remotely.`, { model }),
  notAllowed: forbidden,
  closedToAgents: (label: string, model: string) =>
    forbidden(
      `Agents cannot change '${label}' (${model}) records. Ask a person to do it outside of this connection.`,
      { model },
    ),
  fieldOfNoAgent: (field: string, model: string) =>
    forbidden(`Agents cannot set '${field}' of ${model}: it holds a secret.`, { model, field }),
  methodOfNoAgent: (model: string, method: string) =>
    forbidden(`Agents cannot call ${model}.${method}.`, { model }),
  groupOfNoAgent: (model: string, group: string) =>
    forbidden(
      `This connection does not allow ${model}, because it does not include the tool group '${group}'.`,
      { model },
    ),
  sendingNotIncluded: () =>
    forbidden("This would send email, but the connection does not include the tool group 'mail'."),
  administratorByAgent: () =>
    forbidden(
      'Agents cannot grant the Administrator role. Nothing was changed. Ask a person to grant it outside of this ' +
        'connection.',
    ),
  scopeNeeded: (scope: string) => forbidden(`This requires the scope ${scope}, which the key does not have.`),
  featureOff: (feature: string) =>
    new AppError('FEATURE_OFF', `The feature ${feature} is not enabled in this workspace.`),
  /** @param user id of the caller, which clients of classic RPC parse */
  missing: (model: string, ids: readonly (number | string)[], user: number | null = null) => {
    const record = `${model}(${ids.join(', ')}${ids.length === 1 ? ',' : ''})`;
    const requester = user === null ? '' : `, User: ${user}`;
    const text = `Record does not exist or has been deleted.\n(Record: ${record}${requester})`;
    return missing(text, { model });
  },
  missingLink: (label: string | undefined, field: string | undefined) =>
    missing(
      `Record does not exist or has been deleted.${field ? `\n(Field: ${label ?? field} (${field}))` : ''}`,
      { field },
    ),
  absentLink: (label: string, field: string, model: string, ids: number[]) =>
    validation(
      `${MESSAGE_PREFIX}a record to link does not exist: ${model}(${ids.join(', ')})\n(Field: ${label} (${field}))`,
      { field },
    ),
  stillUsed: (model?: { label: string; name: string }, field?: { label: string; name: string }) =>
    validation(
      `${MESSAGE_PREFIX}Another model is using the record you are trying to delete.` +
        `${model ? `\n\nThe troublemaker is: '${model.label}' (${model.name})` : ''}` +
        `${field ? `, in the field '${field.label}' (${field.name})` : ''}`,
      { model: model?.name, field: field?.name },
    ),
  notFound: (subject: string) => new AppError('NOT_FOUND', `${subject} not found`),
  unknownModel: (model: string) =>
    new AppError('NOT_FOUND_MODEL', `the model '${model}' does not exist`).withDetails({ model }),
  unknownMethod: (model: string, method: string) =>
    new AppError('NOT_FOUND_METHOD', `The method '${model}.${method}' does not exist`).withDetails({
      model,
      method,
    }),
  unknownField: (field: string, model: string, where: 'on' | 'in' | 'on model', suggestion?: string) =>
    badValue(`Invalid field '${field}' ${where} '${model}'${formatSuggestion(suggestion)}`, { model, field }),
  invalidCondition: (problem: string, model: string, leaf: unknown, suggestion?: string) =>
    badValue(`Invalid ${problem} ${model} in condition ${truncateJson(leaf)}${formatSuggestion(suggestion)}`),
  invalidOperator: (leaf: unknown, operators: Iterable<string>) =>
    badValue(`Invalid operator in condition ${truncateJson(leaf)}`, {
      advice: `The operators are ${[...operators].join(', ')}.`,
    }),
  invalidDate: (expectedType: string, value: string, leaf: unknown) =>
    badValue(`Invalid ${expectedType} ${value} in condition ${truncateJson(leaf)}`, { advice: DATE_ADVICE }),
  notACondition: (item: unknown) =>
    badValue(`Domain() malformed domain: not a condition: ${truncateJson(item)}`, {
      advice: 'A domain is a list of conditions, such as [["name", "=", "Acme"]].',
    }),
  malformedDomain: (reason: string) => badValue(`Domain() malformed domain: ${reason}`),
  costlyConditions: (cost: number) =>
    badValue(
      `The conditions are too expensive: their cost is ${cost}, but the maximum is ${limits.domain.cost}. ` +
        'Use fewer or simpler conditions, shorter patterns, or shorter paths.',
    ),
  longPattern: () =>
    badValue(`The text to search for is too long: it may have at most ${limits.domain.pattern} characters.`),
  wrongValue: (model: string, field: string, value: unknown) =>
    badValue(`Wrong value for ${model}.${field}: ${isSecretName(field) ? '***' : truncateJson(value)}`, {
      model,
      field,
      value,
    }),
  wrongArgument: (name: string, reason?: string) =>
    badValue(`Invalid value for the argument '${name}'${reason ? `: ${reason}` : ''}`, { argument: name }),
  badValue,
  badOrder: (order: string) =>
    userError(
      `Invalid "order" specified (${order}). A valid "order" specification is a comma-separated list of valid ` +
        `field names, each optionally followed by asc or desc.`,
    ),
  tooManyOrderTerms: (maxTerms: number) =>
    userError(`The sort order has more than ${maxTerms} terms. Sort by fewer fields.`),
  tooManyPaths: (maxPaths: number) =>
    userError(
      `The sort order or grouping follows more than ${maxPaths} links to other records. Use fewer or shorter paths.`,
    ),
  /** Starts with Odoo's text, which clients match. */
  notSingle: (model: string, ids: readonly (number | string)[]) =>
    badValue(
      `Expected singleton: ${model}(${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}). ` +
        'Pass exactly one id.',
      { model, argument: 'ids' },
    ),
  idsOnModelMethod: (model: string, method: string) =>
    badSignature(`cannot call ${model}.${method} with ids`, { model }),
  missingArgument: (name: string) =>
    badSignature(`missing a required argument: '${name}'`, { argument: name }),
  unexpectedArgument: (name: string, extra = '') =>
    badSignature(`got an unexpected keyword argument '${name}'${extra}`, { argument: name }),
  badRequest,
  /** @param argument argument with the caller's outdated expectation */
  stale: (argument: string, message: string) => stale(message, { argument }),
  staleCount: (count: number, expected: number, noun: string) =>
    stale(`The selection has ${count} ${noun}, but ${expected} were expected. Nothing was changed.`, {
      argument: 'expectCount',
      count,
    }),
  staleRecord: (model: string, ids: readonly number[]) =>
    stale(
      `${model}(${ids.join(', ')}) was changed after you read it. Read it again, then decide. Nothing was changed.`,
      { model, argument: 'expectedVersion' },
    ),
  /** @param path path of a condition that does not restrict the records */
  openCondition: (path: string, reason: string) =>
    badValue(
      `\`${path}\` does not limit which records are changed: ${reason}. Omit it, or pass \`all: true\` instead of ` +
        '`where` if you mean all records.',
      { argument: path },
    ),
  notCursor: (argument: string) =>
    badRequest(
      `\`${argument}\` is not a cursor. Pass a \`cursor\`, \`startCursor\` or \`endCursor\` returned by a page.`,
      { argument },
    ),
  foreignCursor: (argument: string) =>
    badRequest(
      `\`${argument}\` belongs to another list, sort order, user or workspace. ` +
        'Pass the `orderBy` of the page that returned it, or begin at the first page.',
      { argument },
    ),
  badField: (field: string, message: string) => badRequest(`${field}: ${message}`, { argument: field }),
  contentTooLarge: (maxBytes: number) => badRequest(`The content is larger than ${maxBytes} bytes.`, {}, 413),
  bodyTooLarge: (maxBytes: number) => badRequest(`The body is larger than ${maxBytes} bytes.`, {}, 413),
  strangerTooLarge: (maxBytes: number) =>
    badRequest(`Unauthenticated request bodies are limited to ${maxBytes} bytes.`, {}, 413),
  tooManyValues: (maxValues: number) =>
    badRequest(`The body has more than ${maxValues} values. Send them in several requests.`, {}, 413),
  tooManyExtraKeys: () =>
    badRequest(
      `The objects in the body have more than ${limits.http.extraKeys} keys beyond the first ` +
        `${limits.http.objectKeys} of each. Split them into smaller objects.`,
      {},
      413,
    ),
  bodyTooDeep: (maxLevels: number) =>
    badRequest(`The body is nested more than ${maxLevels} levels deep.`, {}, 422),
  tooMuchToParse: () => badRequest('The body takes too much memory. Send it in several requests.', {}, 413),
  bodyCut: () => badRequest('The connection closed before the body was complete.'),
  bodyTooSlow: () => badRequest('The request body timed out.', {}, 408),
  user: userError,
  validation,
  notUnique: createFactory('NOT_UNIQUE'),
  filesTooLarge: (count: number) =>
    userError(
      `the files would be too large for ${count} records at once: write to fewer records in one call`,
    ),
  tooManyRecords: (count: number) =>
    userError(`too many records in one call: ${count} (maximum ${limits.domain.values})`),
  tooManyGroups: (maxGroups: number) =>
    badValue(`more than ${maxGroups} groups: set a limit, or group by fewer fields`),
  defaultsTooLarge: (bytes: number) =>
    userError(
      `the context's defaults (default_…) add ${bytes} bytes to the records in this call, but the maximum ` +
        `is ${limits.record.defaultBytes}: create fewer records at a time, or pass the longest value with ` +
        'each record',
    ),
  answerTooLarge: () => userError('The response is too large. Request fewer records or fields.'),
  tooManyStreams: (maxStreams: number, scope: string) =>
    busy(`At most ${maxStreams} subscriptions of ${scope} can be open at a time. Close one first.`, {}, 429),
  /** @param after delay in seconds */
  overLimit: (message: string, after: number) =>
    busy(`${message} Try again in ${Math.max(1, Math.ceil(after))} seconds.`, {}, 429),
  busy,
  databaseAway: () => busy('The database cannot be reached at the moment. Try again.'),
  internal: (reference: string) =>
    new AppError('INTERNAL', `Something went wrong on our side. Reference: ${reference}`),
};

/** Returns the start of a value as JSON, or '…' if it is nested too deeply to serialize. */
export function truncateJson(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? String(value);
    return text.length > 200 ? `${text.slice(0, 200)}…` : text;
  } catch {
    return '…';
  }
}

/** Looks up the field of a column, or the model of a table if the column is null. Undefined if unknown. */
export type ColumnLookup = (
  table: string,
  column: string | null,
) => { label: string; name: string } | undefined;

interface PostgresError {
  code?: string;
  table?: string;
  column?: string;
  detail?: string;
}

/**
 * Converts PostgreSQL errors caused by the request to AppErrors. Undefined for unexpected errors. Messages never
 * contain names of constraints, tables or columns, only public names from `naming`.
 */
export function convertPostgresError(
  error: unknown,
  naming: ColumnLookup = () => undefined,
): AppError | undefined {
  const postgres = error as PostgresError;
  const { code, table = '', column } = postgres;
  switch (code) {
    case '23502': {
      const fields = [(column && naming(table, column)) || []].flat();
      const label = fields[0]?.label;
      return errors
        .validation(`${MESSAGE_PREFIX}Missing required value${label ? ` for the field '${label}'` : ''}.`)
        .withDetails(buildDetails(table, fields, naming));
    }
    case '23505':
    case '23503':
    case '23001': {
      const fields = findViolatedFields(postgres, naming);
      const labels = formatLabels(fields.length ? fields : [naming(table, null) ?? []].flat());
      const error =
        code === '23505'
          ? errors.notUnique(`${MESSAGE_PREFIX}the value already exists${labels}.`)
          : errors.validation(
              `${MESSAGE_PREFIX}another record refers to this record, or this record refers to one that ` +
                `does not exist${labels}.`,
            );
      return error.withDetails(buildDetails(table, fields, naming));
    }
    case '23514':
      return errors
        .validation(`${MESSAGE_PREFIX}a check failed${formatLabels([naming(table, null) ?? []].flat())}.`)
        .withDetails(buildDetails(table, [], naming));
    default:
      return ERRORS_BY_SQLSTATE[code ?? '']?.();
  }
}

type ColumnLabel = NonNullable<ReturnType<ColumnLookup>>;

/** The detail lists the key's columns in every language: `… (a, b)=(1, 2) …`. */
function findViolatedFields({ table = '', detail = '' }: PostgresError, naming: ColumnLookup): ColumnLabel[] {
  const columns = /\(([^()]*)\)=\(/.exec(detail)?.[1]?.split(', ') ?? [];
  return columns.flatMap((column) => naming(table, column) ?? []);
}

const formatLabels = (columns: ColumnLabel[]): string =>
  columns.length ? ` (${columns.map(({ label }) => label).join(', ')})` : '';

/** If a key has several fields, no single one is at fault. */
const buildDetails = (table: string, fields: ColumnLabel[], naming: ColumnLookup): ErrorDetails => ({
  model: naming(table, null)?.name,
  ...(fields.length === 1 && { field: fields[0]!.name }),
});

const createValueTooLongError = () => errors.validation(`${MESSAGE_PREFIX}a value is too long.`);
const createNulCharacterError = () => errors.badValue('text may not contain a NUL character');
const createWrongFormatError = () => errors.badValue('a value has the wrong format for its field');
const createSerializationConflictError = () =>
  errors.busy('Another request changed the same data at the same time. Try again.');

const ERRORS_BY_SQLSTATE: Record<string, () => AppError> = {
  '22001': createValueTooLongError,
  '22003': () => errors.badValue('a number is out of range'),
  '22021': createNulCharacterError,
  '22P05': createNulCharacterError,
  '22P02': createWrongFormatError,
  '22007': createWrongFormatError,
  '22008': createWrongFormatError,
  '40001': createSerializationConflictError,
  '40P01': createSerializationConflictError,
  // An index entry may use at most a third of a page.
  '54000': createValueTooLongError,
  '53400': () =>
    errors.user(
      'The request needs too much temporary disk space. Request fewer records, groups or conditions.',
    ),
  '57014': () =>
    errors.busy(
      'A query took too long and was stopped. Use fewer or simpler conditions, or sort by fewer fields.',
    ),
};
