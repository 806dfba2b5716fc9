import { escapeHtml } from '../escape-html.ts';
import { limits } from '../limits.ts';
import type { CompiledMarkup, MarkupStep, TextPiece } from './compile.ts';
import { type Expression, evaluate, isTruthy, SafeMarkup, type Value } from './expression.ts';
import { isAddress, isHarmless } from './policy.ts';
import { RenderError } from './render-error.ts';

/** What a template is rendered with. */
export interface RenderInput {
  values: Readonly<Record<string, Value>>;
  /** Templates that are called, by key. */
  templates: ReadonlyMap<string, CompiledMarkup>;
  /** Records that templates list, by the id of the query. */
  records: ReadonlyMap<string, Value[]>;
  /** Makes an address of the page one of the site, such as below the path that it has here. */
  link(address: string): string;
  /** Attributes that an image has beside those that its author wrote, as HTML; asked in the order of rendering. */
  picture(asked: PictureAsked): string;
}

/** An image of a page. */
export interface PictureAsked {
  /** As it is written. */
  address: string;
  /** Whether its author says how large it is, or which sizes there are. */
  hasSize: boolean;
  /** Whether its author says when it is loaded. */
  hasLoading: boolean;
}

/** Names with their values, over those around. */
class Scope {
  readonly own = new Map<string, Value>();
  readonly around: Scope | null;
  constructor(around: Scope | null) {
    this.around = around;
  }
  get(name: string): Value | undefined {
    for (let scope: Scope | null = this; scope; scope = scope.around) {
      const value = scope.own.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

interface Run {
  input: RenderInput;
  out: string;
  /** Characters that were made beside the page, in values. */
  aside: number;
  steps: number;
  depth: number;
  until: number;
  /** The address that was written last. */
  address: string | null;
}

const DOCTYPE = '<!doctype html>';

/** @throws RenderError beyond the limits, or where a template is missing */
export function renderMarkup(template: CompiledMarkup, input: RenderInput): string {
  const until = performance.now() + limits.site.renderTime;
  const run: Run = {
    input,
    out: template.isDocument ? DOCTYPE : '',
    aside: 0,
    steps: 0,
    depth: 0,
    until,
    address: null,
  };
  const scope = new Scope(null);
  for (const [name, value] of Object.entries(input.values)) scope.own.set(name, value);
  renderSteps(run, template.steps, scope);
  count(run);
  return run.out;
}

function renderSteps(run: Run, steps: MarkupStep[], scope: Scope): void {
  for (const step of steps) {
    count(run);
    if (typeof step === 'string') run.out += step;
    else renderStep(run, step, scope);
  }
}

function count(run: Run): void {
  checkRoom(run, 0);
  if (++run.steps > limits.site.steps || (run.steps % 32 === 0 && performance.now() > run.until))
    throw new RenderError('The page takes too long.');
}

/** Asked before a text is escaped, which makes it longer. */
function checkRoom(run: Run, more: number): void {
  if (run.out.length + run.aside + more > limits.site.output)
    throw new RenderError(`The page is longer than ${limits.site.output} characters.`);
}

/** A text as HTML. */
function escaped(run: Run, text: string): string {
  checkRoom(run, text.length);
  return escapeHtml(text);
}

function renderStep(run: Run, step: Exclude<MarkupStep, string>, scope: Scope): void {
  switch (step.kind) {
    case 'out':
      renderOut(run, step, scope);
      break;
    case 'attribute':
      renderAttribute(run, step, scope);
      break;
    case 'address':
      addAddress(run, step.name, step.value);
      break;
    case 'picture':
      renderPicture(run, step, scope);
      break;
    case 'if': {
      const branch = step.branches.find(({ test }) => test === null || isTruthy(valueIn(run, test, scope)));
      if (branch) renderSteps(run, branch.steps, scope);
      break;
    }
    case 'each':
      renderEach(run, step, scope);
      break;
    case 'set':
      scope.own.set(step.name, setValue(run, step, scope));
      break;
    case 'call':
      renderCall(run, step, scope);
  }
}

function valueIn(run: Run, expression: Expression, scope: Scope): Value {
  count(run);
  return evaluate(expression, (name) => scope.get(name));
}

function renderOut(run: Run, step: Extract<MarkupStep, { kind: 'out' }>, scope: Scope): void {
  const value = valueIn(run, step.value, scope);
  if (value === null || value === false) renderSteps(run, step.otherwise, scope);
  else run.out += shown(run, value);
}

/** A value as HTML; what is none of a text shows nothing. */
const shown = (run: Run, value: Value): string =>
  value instanceof SafeMarkup ? value.text : escaped(run, textOf(value));

const textOf = (value: Value): string =>
  value instanceof SafeMarkup ? value.text : value === null || typeof value === 'object' ? '' : String(value);

function renderAttribute(
  run: Run,
  { name, value }: Extract<MarkupStep, { kind: 'attribute' }>,
  scope: Scope,
): void {
  const isFilled = Array.isArray(value);
  const result = isFilled ? filled(run, value, scope) : valueIn(run, value, scope);
  if (!isFilled && (result === null || result === false)) return;
  const text = result === true ? name : textOf(result);
  if (isAddress(name)) addAddress(run, name, isHarmless(text) ? text : '#');
  else run.out += ` ${name}="${escaped(run, text)}"`;
}

function addAddress(run: Run, name: string, address: string): void {
  run.address = address;
  run.out += ` ${name}="${escaped(run, run.input.link(address))}"`;
}

function renderPicture(run: Run, step: Extract<MarkupStep, { kind: 'picture' }>, scope: Scope): void {
  run.address = null;
  renderSteps(run, [step.source], scope);
  if (run.address === null) return;
  const { hasSize, hasLoading } = step;
  const attributes = run.input.picture({ address: run.address, hasSize, hasLoading });
  checkRoom(run, attributes.length);
  run.out += attributes;
}

function filled(run: Run, pieces: TextPiece[], scope: Scope): string {
  let text = '';
  for (const piece of pieces) {
    text += typeof piece === 'string' ? piece : textOf(valueIn(run, piece, scope));
    checkRoom(run, text.length);
  }
  return text;
}

function renderEach(
  run: Run,
  { list, as, steps }: Extract<MarkupStep, { kind: 'each' }>,
  scope: Scope,
): void {
  const found = typeof list === 'string' ? run.input.records.get(list) : valueIn(run, list, scope);
  const items = Array.isArray(found) ? found : [];
  items.forEach((item, index) => {
    count(run);
    const inner = new Scope(scope);
    inner.own.set(as, item);
    inner.own.set(`${as}_index`, index);
    inner.own.set(`${as}_first`, index === 0);
    inner.own.set(`${as}_last`, index === items.length - 1);
    renderSteps(run, steps, inner);
  });
}

function setValue(run: Run, { value, steps }: Extract<MarkupStep, { kind: 'set' }>, scope: Scope): Value {
  if (value === null) return new SafeMarkup(apart(run, steps, scope));
  if (!Array.isArray(value)) return valueIn(run, value, scope);
  const text = filled(run, value, scope);
  run.aside += text.length;
  return text;
}

/** What the steps make, beside the page; it counts as if it stood there. */
function apart(run: Run, steps: MarkupStep[], scope: Scope): string {
  const before = run.out.length;
  renderSteps(run, steps, scope);
  const made = run.out.slice(before);
  run.out = run.out.slice(0, before);
  run.aside += made.length;
  return made;
}

/** What is set within the calling element is known to the template it calls, and to nothing after it. */
function renderCall(
  run: Run,
  { template, steps }: Extract<MarkupStep, { kind: 'call' }>,
  scope: Scope,
): void {
  const called = run.input.templates.get(template);
  if (!called) throw new RenderError(`There is no view ${template}.`);
  if (++run.depth > limits.site.calls) throw new RenderError('Views call each other without end.');
  const inner = new Scope(scope);
  const body = new SafeMarkup(apart(run, steps, inner));
  inner.own.set('0', body);
  if (called.isDocument && run.out === '') run.out = DOCTYPE;
  renderSteps(run, called.steps, inner);
  run.depth--;
}
