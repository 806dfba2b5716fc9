import { ConflictDialog } from '../../shell/dialogs/conflict.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { TemplateDocument, type TemplateFactsFragment } from './generated.ts';
import { templateStrings } from './strings.ts';

interface TemplateConflictProps {
  id: string;
  onMine(version: number): void;
  onTheirs(template: TemplateFactsFragment): void;
  onClose(): void;
}

export function TemplateConflict({ id, onMine, onTheirs, onClose }: TemplateConflictProps) {
  const { data } = useGraphqlQuery(TemplateDocument, { id });
  const theirs = data?.template ?? undefined;
  const author = theirs?.updatedBy?.name ?? templateStrings.someoneElse;
  return (
    <ConflictDialog
      title={templateStrings.conflict}
      text={theirs && templateStrings.conflictText(author, theirs.version)}
      onMine={() => onMine(theirs!.version)}
      onTheirs={() => onTheirs(theirs!)}
      onClose={onClose}
    />
  );
}
