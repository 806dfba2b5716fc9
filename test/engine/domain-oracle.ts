/** A record of the random lab, with its relations as objects. */
export interface Row {
  id: number;
  name: string | null;
  int: number | null;
  bool: boolean | null;
  date: string | null;
  sel: string | null;
  labels: string[];
  parent_id: Row | null;
  tag_ids: Tag[];
  line_ids: Line[];
}

export interface Tag {
  id: number;
  name: string;
  active: boolean;
}

export interface Line {
  id: number;
  name: string | null;
  qty: number | null;
  active: boolean;
}

type Leaf = [string, string, unknown];
type Any = Row | Tag | Line;

/** Whether a record matches a domain: the meaning of the language in a page, with none of the engine's code. */
export function matches(domain: unknown[], record: Any): boolean {
  const stack: boolean[] = [];
  for (const item of [...domain].reverse()) {
    if (item === '!') stack.push(!stack.pop());
    else if (item === '&') stack.push([stack.pop(), stack.pop()].every(Boolean));
    else if (item === '|') stack.push([stack.pop(), stack.pop()].some(Boolean));
    else stack.push(matchesLeaf(item as Leaf, record));
  }
  return stack.every(Boolean);
}

function matchesLeaf([path, operator, value]: Leaf, record: Any): boolean {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const held = (record as unknown as Record<string, unknown>)[name];
  if (rest.length) {
    const inner: Leaf = [rest.join('.'), operator, value];
    return related(name, held, rest[0] === 'active').some((far) => matchesLeaf(inner, far));
  }
  if (operator === 'any' || operator === 'not any') {
    const asksActive = (value as unknown[]).some((item) => Array.isArray(item) && item[0] === 'active');
    const found = related(name, held, asksActive).some((far) => matches(value as unknown[], far));
    return operator === 'any' ? found : !found;
  }
  if (operator === '=?') return value ? matchesLeaf([name, '=', value], record) : true;
  if (operator === '!=') return !matchesLeaf([name, '=', value], record);
  if (operator.startsWith('not ')) return !matchesLeaf([name, operator.slice(4), value], record);
  if (operator === '=') return matchesLeaf([name, 'in', [value]], record);
  if (name.endsWith('_id') || name.endsWith('_ids')) return matchesRelation(name, held, operator, value);
  return matchesValue(name, held, operator, value);
}

function related(name: string, held: unknown, asksActive: boolean): Any[] {
  if (name.endsWith('_id')) return held ? [held as Row] : [];
  return (held as (Tag | Line)[]).filter((far) => asksActive || far.active);
}

function matchesRelation(name: string, held: unknown, operator: string, value: unknown): boolean {
  const all = (Array.isArray(held) ? held : held ? [held] : []) as Any[];
  if (operator.endsWith('like')) {
    return related(name, held, false).some(
      (far) => value === '' || matchesLeaf(['name', operator, value], far),
    );
  }
  return (value as unknown[]).some((wanted) => {
    if (wanted === false) return all.length === 0;
    if (typeof wanted === 'number') return all.some((far) => far.id === wanted);
    return related(name, held, false).some((far) => far.name === wanted);
  });
}

function matchesValue(name: string, held: unknown, operator: string, value: unknown): boolean {
  if (operator.endsWith('like')) return matchesPattern(held, operator, value);
  if (operator === 'in') return (value as unknown[]).some((wanted) => isSame(name, held, wanted));
  if (name === 'date' && (held === null || value === false)) return false;
  const [left, right] = [held ?? 0, value || 0] as [number, number];
  if (operator === '<') return left < right;
  if (operator === '>') return left > right;
  return operator === '<=' ? left <= right : left >= right;
}

function isSame(name: string, held: unknown, wanted: unknown): boolean {
  if (name === 'labels') {
    const labels = held as string[];
    return wanted === false ? labels.length === 0 : labels.includes(wanted as string);
  }
  // Unset, false, zero and '' are one value of their field; but no day is false.
  return (held || false) === (wanted || false);
}

function matchesPattern(held: unknown, operator: string, value: unknown): boolean {
  if (value === '') return operator.startsWith('=') ? !held : true;
  if (held === null) return false;
  const text = String(held);
  const pattern = operator.startsWith('=') ? String(value) : `%${value}%`;
  return new RegExp(`^${regexpOf(pattern)}$`, operator.includes('ilike') ? 'is' : 's').test(text);
}

const regexpOf = (pattern: string): string =>
  pattern.replace(/\\(.)|[%_]|[.*+?^${}()|[\]]/g, (hit, escaped) => {
    if (escaped) return escaped.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return hit === '%' ? '.*' : hit === '_' ? '.' : `\\${hit}`;
  });
