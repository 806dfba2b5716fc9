import { setImmediate as turn } from 'node:timers/promises';
import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { mapYielding } from '../../loop/yield.ts';
import { runInThread } from '../../thread.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model, Values } from '../model/model.ts';
import { assertHtmlSize, sanitizeFieldHtml } from '../value/sanitize-html.ts';
import type { SanitizeOutcome } from '../value/sanitize-thread.ts';

// Callers' HTML is sanitized last, after hooks and defaults. Sanitizing is slow, so each event loop iteration sanitizes
// only a small amount, and a worker thread sanitizes the rest. The HTML in a call is sanitized before its transaction
// begins, and the result is cached.

/**
 * Maximum characters sanitized in one event loop iteration, and in one call. Longer HTML is sanitized in a worker
 * thread.
 */
export const SANITIZED_SLICE_CHARS = 128 * 1024;
/** Characters added to the length of each string, to account for the fixed cost of sanitizing it. */
export const SANITIZED_TEXT_COST = 32;

const SANITIZE_THREAD = new URL('../value/sanitize-thread.ts', import.meta.url);

/** Unsanitized HTML. It cannot be stored, because JSON and SQL statements reject it. */
export class UnsafeHtml {
  readonly html: string;
  readonly where: string;

  constructor(html: string, where: string) {
    this.html = html;
    this.where = where;
  }

  toJSON(): never {
    throw new Error(`the HTML for ${this.where} was not sanitized`);
  }

  toPostgres(): never {
    return this.toJSON();
  }
}

/**
 * Wraps a non-empty string as unsanitized HTML.
 * @throws BAD_VALUE if the string is too large
 */
export function toUnsafeHtml(text: string, where: string): string | UnsafeHtml {
  if (text.trim() === '') return text;
  assertHtmlSize(text, where);
  return new UnsafeHtml(text, where);
}

const computeWeight = (html: string): number => html.length + SANITIZED_TEXT_COST;

/** Cost of the HTML sanitized in the current event loop iteration. */
let spentWeight = 0;

function reserveWeight(weight: number): boolean {
  if (spentWeight + weight > SANITIZED_SLICE_CHARS) return false;
  if (spentWeight === 0)
    setImmediate(() => {
      spentWeight = 0;
    });
  spentWeight += weight;
  return true;
}

/**
 * Sanitizes strings. A small amount is sanitized in this or a later event loop iteration, and a larger amount in a
 * worker thread.
 * @throws BAD_VALUE if a string exceeds the limits
 */
async function sanitizeHtmlList(ctx: Ctx, list: UnsafeHtml[]): Promise<string[]> {
  if (list.length === 0) return [];
  const weight = list.reduce((sum, { html }) => sum + computeWeight(html), 0);
  if (weight <= SANITIZED_SLICE_CHARS) {
    while (!reserveWeight(weight)) await turn();
    return list.map(({ html, where }) => sanitizeFieldHtml(html, where));
  }
  const texts = list.map(({ html, where }) => ({ html, where }));
  const all = await runInThread<SanitizeOutcome[]>(SANITIZE_THREAD, texts, ctx.workspace.id);
  return all.map((item) => {
    if (typeof item !== 'string') throw errors.badValue(item.refusal);
    return item;
  });
}

/** @throws BAD_VALUE if a string exceeds the limits */
export async function sanitizeValues(ctx: Ctx, values: Values): Promise<void> {
  const names = Object.keys(values).filter((name) => values[name] instanceof UnsafeHtml);
  const clean = await sanitizeHtmlList(
    ctx,
    names.map((name) => values[name] as UnsafeHtml),
  );
  for (const [index, name] of names.entries()) values[name] = clean[index]!;
}

export interface UnsafeValue {
  unsafe: UnsafeHtml;
  store(clean: string): void;
}

/** @throws BAD_VALUE if a string exceeds the limits */
export async function sanitizeRows(ctx: Ctx, rows: { pending: UnsafeValue[] }[]): Promise<void> {
  const pendingValues = rows.flatMap((row) => row.pending);
  const clean = await sanitizeHtmlList(
    ctx,
    pendingValues.map(({ unsafe }) => unsafe),
  );
  for (const [index, { store }] of pendingValues.entries()) store(clean[index]!);
}

/** Sanitized strings and their originals, by containing object and property name. */
const sanitizedByHolder = new WeakMap<object, Map<string, SanitizedText>>();

interface SanitizedText {
  html: string;
  clean: string;
}

function recordSanitizedHtml(holder: Values, name: string, clean: string): void {
  const notes = sanitizedByHolder.get(holder) ?? new Map<string, SanitizedText>();
  sanitizedByHolder.set(holder, notes.set(name, { html: holder[name] as string, clean }));
}

/** Returns the cached result for `holder[name]`. Undefined if the string has not been sanitized or has changed. */
export function getSanitizedHtml(holder: Values, name: string, text: unknown): string | undefined {
  const sanitized = sanitizedByHolder.get(holder)?.get(name);
  return sanitized && sanitized.html === text ? sanitized.clean : undefined;
}

export function copySanitizedHtml<T extends Values>(from: Values, copy: T): T {
  const notes = sanitizedByHolder.get(from);
  if (notes) sanitizedByHolder.set(copy, notes);
  return copy;
}

/** Like `copySanitizedHtml`, for one value that has a different name in the copy. */
export function copySanitizedField(from: Values, name: string, copy: Values, copyName: string): void {
  const cleanName = getSanitizedHtml(from, name, copy[copyName]);
  if (cleanName !== undefined) recordSanitizedHtml(copy, copyName, cleanName);
}

/** A string in `holder` that is HTML, or that may be HTML because the property's type is not known yet. */
interface HtmlLocation {
  holder: Values;
  name: string;
  where: string;
}

function findHtml(model: Model, values: Values): HtmlLocation[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const type = model.fields.get(name)?.type;
    const where = `${model.name}.${name}`;
    if (type === 'html' && typeof value === 'string') return { holder: values, name, where };
    return type === 'properties' && value !== null && typeof value === 'object'
      ? findPropertyHtml(value, where)
      : [];
  });
}

/** Accepts properties as an object by name, or as a list of definitions with a `value`. */
const findPropertyHtml = (properties: object, where: string): HtmlLocation[] =>
  Array.isArray(properties)
    ? properties.filter(isObject).flatMap((item) => findTexts(item, ['value'], where))
    : findTexts(properties as Values, Object.keys(properties), where);

const findTexts = (holder: Values, names: string[], where: string): HtmlLocation[] =>
  names.flatMap((name) => (typeof holder[name] === 'string' ? { holder, name, where } : []));

const getText = ({ holder, name }: HtmlLocation): string => holder[name] as string;

const computeTotalWeight = (places: HtmlLocation[]): number =>
  places.reduce((sum, location) => sum + computeWeight(getText(location)), 0);

/**
 * Sanitizes a large amount of HTML before the values are written, and caches the result. Excludes values that hooks
 * change or add later. Leaves invalid values to later validation.
 * @param isNew true for new records, to which the defaults in the caller's context apply
 */
export async function presanitize(ctx: Ctx, model: Model, list: unknown[], isNew: boolean): Promise<void> {
  const objects = list.filter(isObject);
  const { defaults } = ctx.context;
  const defaultHtml = isNew ? findHtml(model, defaults) : [];
  const htmlTexts = (await mapYielding(objects, (values) => findHtml(model, values))).flat();
  if (
    computeTotalWeight(htmlTexts) + computeTotalWeight(defaultHtml) * objects.length <=
    SANITIZED_SLICE_CHARS
  )
    return;
  const places = [...defaultHtml, ...htmlTexts].filter(
    (location) => getSanitizedHtml(location.holder, location.name, getText(location)) === undefined,
  );
  if (places.length === 0) return;
  const texts = places.map((location) => ({ html: getText(location), where: location.where }));
  const cleanOutcomes = await runInThread<SanitizeOutcome[]>(SANITIZE_THREAD, texts, ctx.workspace.id);
  for (const [index, { holder, name }] of places.entries()) {
    const outcome = cleanOutcomes[index]!;
    if (typeof outcome === 'string') recordSanitizedHtml(holder, name, outcome);
  }
}
