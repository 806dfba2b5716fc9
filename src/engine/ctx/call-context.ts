import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { type CallContext, derivePrincipal, type Principal } from '../model/principal.ts';
import { SOURCE_LANGUAGE } from '../model/translations.ts';
import { formatInstant, resolveZoneName, toWallClock } from '../value/instant.ts';
import { getWeekStart } from '../value/locale.ts';
import { INT_MAX } from '../value/number.ts';
import { assertLanguage } from './catalog.ts';
import type { Ctx } from './ctx.ts';
import { parseFillTemporal } from './fill-temporal.ts';

export const MAX_CONTEXT_KEYS = 1_000;

/**
 * Applies a call's `context` to the ctx. Supports `active_test`, `lang`, `tz`, `allowed_company_ids`, `bin_size`,
 * `bin_size_<field>`, `default_<field>`, `expected_version`, `fill_temporal`, `read_group_expand`, `password` and
 * `NAME_CONTEXT_KEYS`. Ignores other keys, as Odoo 19 does.
 * @throws USER_ERROR for an inactive language, ACCESS_ERROR for a company that the caller cannot use, BAD_VALUE for
 * other invalid values
 */
export function applyCallContext(ctx: Ctx, contextValues: unknown): Ctx {
  if (!isObject(contextValues) || Object.keys(contextValues).length === 0) return ctx;
  const principal = restrictToCompanies(ctx.principal, contextValues.allowed_company_ids);
  const context: CallContext = {
    activeTest:
      contextValues.active_test === undefined ? ctx.context.activeTest : Boolean(contextValues.active_test),
    lang: resolveLanguage(ctx, contextValues.lang),
    tz: resolveKnownZone(contextValues.tz) ?? ctx.context.tz,
    defaults: { ...ctx.context.defaults, ...selectByPrefix(contextValues, 'default_') },
    sizes: parseSizes(contextValues),
    fillTemporal: parseFillTemporal(contextValues.fill_temporal) ?? ctx.context.fillTemporal,
    expandGroups: Boolean(contextValues.read_group_expand) || ctx.context.expandGroups,
    displayNameKeys: NAME_CONTEXT_KEYS.some((key) => contextValues[key])
      ? NAME_CONTEXT_KEYS.filter((key) => contextValues[key])
      : ctx.context.displayNameKeys,
    ...parseExpectedVersion(contextValues.expected_version),
    ...(typeof contextValues.password === 'string' && { password: contextValues.password }),
  };
  return ctx.with({ context, ...(principal && { principal }) });
}

/** Context keys that extend display names, in the order that they are applied. */
const NAME_CONTEXT_KEYS = ['show_address', 'address_inline', 'show_email', 'show_vat'];

/**
 * Limits the number of keys, because every engine call processes them.
 * @throws BAD_VALUE
 */
export function assertContextSize(context: unknown): void {
  // Clients send an empty string for no context, and PHP clients send an empty list for an empty object.
  const isEmpty = !context || (Array.isArray(context) && context.length === 0);
  if (!isEmpty && !isObject(context))
    throw errors.badValue("Invalid value for the argument 'context': must be an object");
  if (isObject(context) && Object.keys(context).length > MAX_CONTEXT_KEYS)
    throw errors.badValue(`the context has more than ${MAX_CONTEXT_KEYS} keys`);
}

export const getTimeZone = ({ context, principal }: Ctx): string => context.tz ?? principal?.tz ?? 'UTC';

/**
 * Returns the time zone of date periods and date parts, or null for UTC. The record API uses only the call's context
 * (Odoo 19). GraphQL and the MCP tools have no context, so they use the user's time zone.
 */
export const getPeriodZone = ({ context, channel, principal }: Ctx): string | null =>
  context.tz ?? (channel === 'graphql' || channel === 'mcp' ? (principal?.tz ?? null) : null);

/** Returns the first day of the week in the caller's language, which the workspace can set. 1 is Monday. */
export function getFirstWeekday(ctx: Ctx): number {
  const lang = getWeekLanguage(ctx);
  return ctx.catalog.weekStarts.get(lang) ?? getWeekStart(lang);
}

/** Returns the language that determines where weeks start and how they are numbered. */
export const getWeekLanguage = ({ context, principal }: Ctx): string =>
  context.lang ?? principal?.lang ?? SOURCE_LANGUAGE;

/** Returns the current date in the caller's time zone as `YYYY-MM-DD`. */
export const getToday = (ctx: Ctx): string =>
  formatInstant(toWallClock(Date.now(), getTimeZone(ctx))).slice(0, 10);

function resolveLanguage(ctx: Ctx, lang: unknown): string | null {
  if (!lang) return ctx.context.lang;
  if (typeof lang !== 'string')
    throw errors.badValue("Invalid value for 'lang' in the context: must be a string");
  assertLanguage(ctx.catalog, lang);
  return lang;
}

/** Ignores unknown time zones and UTC offsets, because PostgreSQL interprets `+02:00` as west of Greenwich. */
function resolveKnownZone(tz: unknown): string | null {
  if (!tz) return null;
  if (typeof tz !== 'string')
    throw errors.badValue("Invalid value for 'tz' in the context: must be a string");
  return resolveZoneName(tz);
}

/** Restricts the principal to the given companies. The first one becomes the current company. */
function restrictToCompanies(principal: Principal | null, ids: unknown): Principal | null {
  if (!principal || !ids || (Array.isArray(ids) && ids.length === 0)) return null;
  if (!Array.isArray(ids) || ids.some((id) => !principal.companyIds.includes(id)))
    throw errors.notAllowed('Access to unauthorized or invalid companies.');
  const companyIds: number[] = [...new Set(ids)];
  return derivePrincipal(principal, `companies ${companyIds}`, { companyId: companyIds[0]!, companyIds });
}

/** Treats a single version as a list. @throws BAD_VALUE */
function parseExpectedVersion(value: unknown): Pick<CallContext, 'expectedVersion'> {
  if (value === undefined || value === null || value === false) return {};
  const versions: unknown[] = Array.isArray(value) ? value : [value];
  if (!versions.every(isVersion))
    throw errors.badValue(
      "Invalid value for 'expected_version' in the context: must be a version or a list of versions",
    );
  return { expectedVersion: versions };
}

const isVersion = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= INT_MAX;

function selectByPrefix(entries: Record<string, unknown>, prefix: string): Record<string, unknown> {
  const entriesOfPrefix = Object.entries(entries).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entriesOfPrefix.map(([key, value]) => [key.slice(prefix.length), value]));
}

function parseSizes(entries: Record<string, unknown>): Set<string> {
  const fields = Object.entries(selectByPrefix(entries, 'bin_size_')).filter(([, on]) => on);
  return new Set([...fields.map(([name]) => name), ...(entries.bin_size ? ['*'] : [])]);
}

/** Returns the caller's language. Null if it is the source language. */
export function getOtherLanguage(ctx: Ctx): string | null {
  const { lang } = ctx.context;
  return lang === SOURCE_LANGUAGE ? null : lang;
}
