import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TemplateDocument, type TemplateFactsFragment } from './generated.ts';
import { templateStrings } from './strings.ts';

interface TemplateConflictProps {
  id: string;
  onMine(version: number): Promise<void>;
  onTheirs(template: TemplateFactsFragment): void;
  onClose(): void;
}

export function TemplateConflict({ id, onMine, onTheirs, onClose }: TemplateConflictProps) {
  const { data } = useGraphqlQuery(TemplateDocument, { id });
  const theirs = data?.template;
  return (
    <Dialog title={templateStrings.conflict} onClose={onClose}>
      {theirs ? (
        <>
          <p>
            {templateStrings.conflictText(
              theirs.updatedBy?.name ?? templateStrings.someoneElse,
              theirs.version,
            )}
          </p>
          <DialogButtons onClose={onClose}>
            <Button look="primary" onClick={() => onMine(theirs.version)}>
              {templateStrings.keepMyVersion}
            </Button>
            <Button onClick={() => onTheirs(theirs)}>{templateStrings.takeTheirVersion}</Button>
          </DialogButtons>
        </>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
