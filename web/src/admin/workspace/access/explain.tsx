import type { FormEvent } from 'react';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice, Field } from '../../../ui/field.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { givenName } from '../../operation/given.ts';
import { adminWords } from '../words.ts';
import { type AccessView, givenId, OPERATIONS } from './address.ts';
import { ExplainDocument, type ExplainQuery, UserChoicesDocument } from './generated.ts';

interface ExplainProps {
  model: string;
  view: AccessView;
  show(changes: AccessView): void;
}

/** Why one user may or may not do something with one record. */
export function Explain({ model, view, show }: ExplainProps) {
  const { data } = useAnswer(UserChoicesDocument, {});
  const { user, record, operation = 'read' } = view;
  const explain = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    show({
      user: givenId(form.get('user')),
      record: givenId(form.get('record')),
      operation: givenName(OPERATIONS, form.get('operation')),
    });
  };
  return (
    <section className="card admin-stack" aria-label={adminWords.accessTabs.explain}>
      <form
        key={`${data !== undefined} ${user} ${record} ${operation}`}
        className="op-form"
        onSubmit={explain}
      >
        <div className="admin-pair">
          <Choice
            name="user"
            label={adminWords.user}
            required
            defaultValue={user ?? ''}
            options={[
              ['', adminWords.choose],
              ...(data?.users.nodes ?? []).map(
                ({ id, displayName, login }) => [id, `${displayName} (${login})`] as const,
              ),
            ]}
          />
          <Choice
            name="operation"
            label={adminWords.operation}
            defaultValue={operation}
            options={OPERATIONS.map((each) => [each, adminWords.operationOf[each]] as const)}
          />
          <Field
            name="record"
            label={adminWords.oneRecord}
            inputMode="numeric"
            pattern="[0-9]*"
            defaultValue={record}
          />
        </div>
        <div className="buttons">
          <Button type="submit" look="primary">
            {adminWords.explain}
          </Button>
        </div>
      </form>
      {user && <Explained model={model} user={user} record={record} operation={operation} />}
    </section>
  );
}

interface ExplainedProps {
  model: string;
  user: string;
  record: string | undefined;
  operation: string;
}

function Explained({ model, user, record, operation }: ExplainedProps) {
  const ids = record ? [record] : [];
  const { data, refusal, reload } = useAnswer(ExplainDocument, { model, ids, operation, user });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { allowed, rights, rules, groupsThatWouldHelp: help } = data.explainAccess;
  return (
    <div className="admin-stack" aria-live="polite">
      <p>
        <StatusBadge tone={allowed ? 'good' : 'bad'}>
          {adminWords.allowed[allowed ? 'yes' : 'no']}
        </StatusBadge>{' '}
        {reasonOf(data.explainAccess)}
      </p>
      {!allowed && help.length > 0 && <p>{adminWords.wouldHelp(help.join(', '))}</p>}
      {rights.length > 0 && (
        <>
          <h2>{adminWords.rights}</h2>
          <ul className="admin-rows">
            {rights.map(({ id, name, group, grants }) => (
              <li key={id}>
                <div>
                  {name} <code className="quiet small">{group ?? adminWords.everybody}</code>
                </div>
                <StatusBadge tone={grants ? 'good' : 'plain'}>
                  {adminWords.grants[grants ? 'yes' : 'no']}
                </StatusBadge>
              </li>
            ))}
          </ul>
        </>
      )}
      {rules.length > 0 && (
        <>
          <h2>{adminWords.rules}</h2>
          <ul className="admin-rows">
            {rules.map((rule) => (
              <ExplainedRule key={rule.id} rule={rule} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** What decided, in the language of the page. Pure. */
function reasonOf({ allowed, decidedBy, missing, rules }: ExplainQuery['explainAccess']): string {
  if (missing.length > 0) return adminWords.noRecord;
  if (allowed) return '';
  if (decidedBy.kind === 'RIGHT') return adminWords.noRightGives;
  if (decidedBy.kind === 'DOCUMENT') return adminWords.byDocument;
  const names = rules.filter(({ id }) => decidedBy.ids.includes(id)).map(({ name }) => name);
  return adminWords.byRules(names.join(', '));
}

type Rule = ExplainQuery['explainAccess']['rules'][number];

const ExplainedRule = ({ rule: { name, groups, domain, passes, refuses } }: { rule: Rule }) => (
  <li>
    <div>
      {name} <code className="quiet small">{groups.join(', ') || adminWords.everybody}</code>
    </div>
    {passes.length + refuses.length > 0 && (
      <StatusBadge tone={refuses.length > 0 ? 'bad' : 'good'}>
        {adminWords.passes[refuses.length > 0 ? 'no' : 'yes']}
      </StatusBadge>
    )}
    <code className="wide">{JSON.stringify(domain)}</code>
  </li>
);
