import { language } from '../../i18n/language.ts';
import { getFolderName } from '../folder-tree.tsx';
import type { RuleEditorProps } from './rule-editor.tsx';
import type { MailRule } from './rule-form.ts';
import { settingsStrings } from './strings.ts';

export function describeConditions({
  matchType,
  conditions,
}: Pick<MailRule, 'matchType' | 'conditions'>): string {
  const texts = conditions.map(({ field, operator, value }) =>
    field === 'has_attachment'
      ? value === 'false'
        ? settingsStrings.noAttachment
        : getLabel(settingsStrings.fields, field)
      : settingsStrings.conditionText(
          getLabel(settingsStrings.fields, field),
          getLabel(settingsStrings.operators, operator),
          value,
        ),
  );
  return formatList(texts, matchType === 'any' ? 'disjunction' : 'conjunction');
}

export function describeActions(
  { actions }: Pick<MailRule, 'actions'>,
  { folders, labels }: RuleEditorProps['targets'],
): string {
  const texts = actions.map(({ action, folderId, labelId }) => {
    const folder = folders.find(({ id }) => id === folderId);
    const target = folder
      ? getFolderName({ type: folder.role, name: folder.name })
      : labels.find(({ id }) => id === labelId)?.name;
    const name = getLabel(settingsStrings.actionNames, action);
    return target ? settingsStrings.actionText(name, target) : name;
  });
  return formatList(texts, 'conjunction');
}

/** Returns the name if there is no label, as for rules of administrators. */
const getLabel = (labels: Record<string, string>, name: string): string => labels[name] ?? name;

const formatList = (texts: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  new Intl.ListFormat(language, { type }).format(texts);
