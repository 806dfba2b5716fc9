import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TemplateDocument, type TemplateFactsFragment } from './generated.ts';
import { templateWords } from './words.ts';

interface TemplateConflictProps {
  id: string;
  /** Saves over that version. */
  onMine(version: number): Promise<void>;
  onTheirs(template: TemplateFactsFragment): void;
  onClose(): void;
}

/** Somebody else has saved the template meanwhile: whose content is it to have? */
export function TemplateConflict({ id, onMine, onTheirs, onClose }: TemplateConflictProps) {
  const { data } = useGraphqlQuery(TemplateDocument, { id });
  const theirs = data?.template;
  return (
    <Dialog title={templateWords.conflict} onClose={onClose}>
      {theirs ? (
        <>
          <p>
            {templateWords.conflictText(theirs.updatedBy?.name ?? templateWords.somebody, theirs.version)}
          </p>
          <div className="buttons">
            <Button look="primary" onClick={() => onMine(theirs.version)}>
              {templateWords.keepMine}
            </Button>
            <Button onClick={() => onTheirs(theirs)}>{templateWords.takeTheirs}</Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </>
      ) : (
        <p role="status">{shellWords.loading}</p>
      )}
    </Dialog>
  );
}
