import './why-not.css';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { WhyNotDocument, type WhyNotQuery } from './generated.ts';

/** Named as in the record API. */
type WriteOperation = 'create' | 'write' | 'unlink';

interface AccessReasonButtonProps {
  model: ModelDescription;
  /** Null for a record that does not exist yet. */
  id: string | null;
  wished: WriteOperation;
}

/** Explains why access was denied. */
export function AccessReasonButton(props: AccessReasonButtonProps) {
  const question = viewStrings.accessQuestions[props.wished];
  return (
    <DialogOpener look="ghost" className="why" label={question}>
      {(onClose) => (
        <Dialog title={question} onClose={onClose}>
          <AccessExplanation {...props} />
          <DialogButtons onClose={onClose} />
        </Dialog>
      )}
    </DialogOpener>
  );
}

function AccessExplanation({ model, id, wished }: AccessReasonButtonProps) {
  const { data, refusal } = useGraphqlQuery(WhyNotDocument, {
    model: model.name,
    ids: id === null ? [] : [id],
    operation: wished,
  });
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (!data) return <Loading />;
  const { allowed, groupsThatWouldHelp: groups } = data.explainAccess;
  return (
    <>
      <p>{getReason(model, data.explainAccess)}</p>
      {!allowed && groups.length > 0 && (
        <>
          <p>{viewStrings.grantingGroups}</p>
          <ul className="why-groups">
            {groups.map((group) => (
              <li key={group}>{group}</li>
            ))}
          </ul>
        </>
      )}
      {!allowed && <p className="quiet">{viewStrings.askAdministrator}</p>}
    </>
  );
}

/** Describes the reason in the user's language. The server's message is for programs. */
function getReason(
  { label }: ModelDescription,
  { allowed, decidedBy, rules, missing }: WhyNotQuery['explainAccess'],
): string {
  if (missing.length > 0) return viewStrings.recordDeleted;
  if (allowed) return viewStrings.isAllowed;
  if (decidedBy.kind === 'RIGHT') return viewStrings.noRight(label);
  if (decidedBy.kind === 'DOCUMENT') return viewStrings.deniedByParent;
  const names = rules.filter(({ id }) => decidedBy.ids.includes(id)).map(({ name }) => name);
  return names.length > 0 ? viewStrings.deniedByRules(names.join(', ')) : viewStrings.deniedByRule;
}
