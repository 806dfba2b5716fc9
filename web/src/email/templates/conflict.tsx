import { VersionConflict } from '../../shell/dialogs/version-conflict.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { TemplateDocument, type TemplateFactsFragment } from './generated.ts';
import { templateStrings } from './strings.ts';

interface TemplateConflictProps {
  id: string;
  onMine(version: number): void;
  onTheirs(template: TemplateFactsFragment): void;
  onClose(): void;
}

export function TemplateConflict({ id, ...actions }: TemplateConflictProps) {
  const { data } = useGraphqlQuery(TemplateDocument, { id });
  return (
    <VersionConflict
      title={templateStrings.conflict}
      theirs={data?.template ?? undefined}
      describe={({ updatedBy, version }) =>
        templateStrings.conflictText(updatedBy?.name ?? templateStrings.someoneElse, version)
      }
      {...actions}
    />
  );
}
