import { escapeHtml } from '../escape-html.ts';
import { limits } from '../limits.ts';
import type { CompiledMarkup, MarkupStep, TextPiece } from './compile.ts';
import { type Expression, evaluate, isTruthy, type MarkupValue, SafeMarkup } from './expression.ts';
import { isAddressAttribute, isSafeAddress } from './policy.ts';
import { RenderError } from './render-error.ts';

const MAX_STEPS = 200_000;
const RENDER_TIMEOUT_MS = 250;

interface RenderInput {
  values: Readonly<Record<string, MarkupValue>>;
  templates: ReadonlyMap<string, CompiledMarkup>;
  /** Listed records by the id of the query. */
  records: ReadonlyMap<string, MarkupValue[]>;
  /** Converts a URL in the page to a URL of the site, for example by adding its base path. */
  link(address: string): string;
  /** Returns additional attributes of an image, as HTML. Called in rendering order. */
  picture(image: ImageRequest): string;
}

export interface ImageRequest {
  /** The URL as written in the template. */
  address: string;
  hasSize: boolean;
  /** True if the author specified how it is loaded. */
  hasLoading: boolean;
}

/** Inner variables take precedence over outer ones. */
class Scope {
  readonly variables = new Map<string, MarkupValue>();
  readonly parent: Scope | null;
  constructor(scope: Scope | null) {
    this.parent = scope;
  }
  get(name: string): MarkupValue | undefined {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const value = scope.variables.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

interface RenderState {
  input: RenderInput;
  out: string;
  /** Number of characters rendered to separate strings instead of the page. */
  aside: number;
  steps: number;
  depth: number;
  until: number;
  /** The last URL written. */
  address: string | null;
}

const DOCTYPE = '<!doctype html>';

/** @throws RenderError if a limit is exceeded or a template is missing */
export function renderMarkup(template: CompiledMarkup, input: RenderInput): string {
  const deadline = performance.now() + RENDER_TIMEOUT_MS;
  const run: RenderState = {
    input,
    out: template.isDocument ? DOCTYPE : '',
    aside: 0,
    steps: 0,
    depth: 0,
    until: deadline,
    address: null,
  };
  const scope = new Scope(null);
  for (const [name, value] of Object.entries(input.values)) scope.variables.set(name, value);
  renderSteps(run, template.steps, scope);
  countStep(run);
  return run.out;
}

function renderSteps(run: RenderState, steps: MarkupStep[], scope: Scope): void {
  for (const step of steps) {
    countStep(run);
    if (typeof step === 'string') run.out += step;
    else renderStep(run, step, scope);
  }
}

function countStep(run: RenderState): void {
  assertOutputFits(run, 0);
  if (++run.steps > MAX_STEPS || (run.steps % 32 === 0 && performance.now() > run.until))
    throw new RenderError('Rendering the page takes too long. Simplify its markup.');
}

/** Checks the length before text is escaped, so that an oversized text is rejected without escaping it. */
function assertOutputFits(run: RenderState, more: number): void {
  if (run.out.length + run.aside + more > limits.site.output)
    throw new RenderError(`The page is longer than ${limits.site.output} characters.`);
}

function escapeText(run: RenderState, text: string): string {
  assertOutputFits(run, text.length);
  return escapeHtml(text);
}

function renderStep(run: RenderState, step: Exclude<MarkupStep, string>, scope: Scope): void {
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
      const branch = step.branches.find(
        ({ test }) => test === null || isTruthy(evaluateIn(run, test, scope)),
      );
      if (branch) renderSteps(run, branch.steps, scope);
      break;
    }
    case 'each':
      renderEach(run, step, scope);
      break;
    case 'set':
      scope.variables.set(step.name, computeSetValue(run, step, scope));
      break;
    case 'call':
      renderCall(run, step, scope);
  }
}

function evaluateIn(run: RenderState, expression: Expression, scope: Scope): MarkupValue {
  countStep(run);
  return evaluate(expression, (name) => scope.get(name));
}

function renderOut(run: RenderState, step: Extract<MarkupStep, { kind: 'out' }>, scope: Scope): void {
  const value = evaluateIn(run, step.value, scope);
  if (value === null || value === false) renderSteps(run, step.otherwise, scope);
  else run.out += renderValue(run, value);
}

/** Renders a value. A value without a string representation becomes an empty string. */
const renderValue = (run: RenderState, value: MarkupValue): string =>
  value instanceof SafeMarkup ? value.text : escapeText(run, formatMarkupValue(value));

const formatMarkupValue = (value: MarkupValue): string =>
  value instanceof SafeMarkup ? value.text : value === null || typeof value === 'object' ? '' : String(value);

function renderAttribute(
  run: RenderState,
  { name, value }: Extract<MarkupStep, { kind: 'attribute' }>,
  scope: Scope,
): void {
  const isFilled = Array.isArray(value);
  const result = isFilled ? renderPieces(run, value, scope) : evaluateIn(run, value, scope);
  if (!isFilled && (result === null || result === false)) return;
  const text = result === true ? name : formatMarkupValue(result);
  if (isAddressAttribute(name)) addAddress(run, name, isSafeAddress(text) ? text : '#');
  else run.out += ` ${name}="${escapeText(run, text)}"`;
}

function addAddress(run: RenderState, name: string, address: string): void {
  run.address = address;
  run.out += ` ${name}="${escapeText(run, run.input.link(address))}"`;
}

function renderPicture(run: RenderState, step: Extract<MarkupStep, { kind: 'picture' }>, scope: Scope): void {
  run.address = null;
  renderSteps(run, [step.source], scope);
  if (run.address === null) return;
  const { hasSize, hasLoading } = step;
  const attributes = run.input.picture({ address: run.address, hasSize, hasLoading });
  assertOutputFits(run, attributes.length);
  run.out += attributes;
}

function renderPieces(run: RenderState, parts: TextPiece[], scope: Scope): string {
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : formatMarkupValue(evaluateIn(run, part, scope));
    assertOutputFits(run, text.length);
  }
  return text;
}

function renderEach(
  run: RenderState,
  { list, as, steps }: Extract<MarkupStep, { kind: 'each' }>,
  scope: Scope,
): void {
  const records = typeof list === 'string' ? run.input.records.get(list) : evaluateIn(run, list, scope);
  const items = Array.isArray(records) ? records : [];
  items.forEach((item, index) => {
    countStep(run);
    const inner = new Scope(scope);
    inner.variables.set(as, item);
    inner.variables.set(`${as}_index`, index);
    inner.variables.set(`${as}_first`, index === 0);
    inner.variables.set(`${as}_last`, index === items.length - 1);
    renderSteps(run, steps, inner);
  });
}

function computeSetValue(
  run: RenderState,
  { value, steps }: Extract<MarkupStep, { kind: 'set' }>,
  scope: Scope,
): MarkupValue {
  if (value === null) return new SafeMarkup(renderToText(run, steps, scope));
  if (!Array.isArray(value)) return evaluateIn(run, value, scope);
  const text = renderPieces(run, value, scope);
  run.aside += text.length;
  return text;
}

/** Renders steps into a separate string, which still counts toward the page's length. */
function renderToText(run: RenderState, steps: MarkupStep[], scope: Scope): string {
  const before = run.out.length;
  renderSteps(run, steps, scope);
  const rendered = run.out.slice(before);
  run.out = run.out.slice(0, before);
  run.aside += rendered.length;
  return rendered;
}

/** Variables set within the calling element are visible in the called template, but not after it. */
function renderCall(
  run: RenderState,
  { template, steps }: Extract<MarkupStep, { kind: 'call' }>,
  scope: Scope,
): void {
  const calledMarkup = run.input.templates.get(template);
  if (!calledMarkup) throw new RenderError(`Unknown view ${template}.`);
  if (++run.depth > limits.site.calls) throw new RenderError('Views call each other in a loop.');
  const inner = new Scope(scope);
  const body = new SafeMarkup(renderToText(run, steps, inner));
  inner.variables.set('0', body);
  if (calledMarkup.isDocument && run.out === '') run.out = DOCTYPE;
  renderSteps(run, calledMarkup.steps, inner);
  run.depth--;
}
