import {
  type Catalog,
  createEmptyCatalog,
  type ModelRight,
  OPERATIONS,
  parseOperationLetters,
  type RecordRule,
} from '../../src/engine/ctx/catalog.ts';
import { parseRuleText } from '../../src/engine/domain/rule-text.ts';
import type { Registry } from '../../src/engine/model/model.ts';

export function buildInitialCatalog(registry: Registry): Catalog {
  const rights = new Map<string, ModelRight[]>();
  const rules = new Map<string, RecordRule[]>();
  for (const model of registry.values()) {
    rights.set(
      model.name,
      Object.entries(model.options.access).map(([group, letters]) => ({
        id: 0,
        name: model.name,
        group,
        operations: parseOperationLetters(letters),
      })),
    );
    rules.set(
      model.name,
      (model.options.rules ?? []).map((rule) => ({
        id: 0,
        name: rule.name,
        groups: rule.group ? [rule.group] : [],
        operations: new Set(rule.operations ?? OPERATIONS),
        text: parseRuleText(rule.domain),
      })),
    );
  }
  return { ...createEmptyCatalog(registry), rights, rules };
}
