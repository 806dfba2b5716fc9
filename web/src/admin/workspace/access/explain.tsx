import { LoadStatus } from '../../../shell/loading.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { parseChoice } from '../../../ui/input/search-params.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { adminStrings } from '../strings.ts';
import { ACCESS_KINDS, type AccessView, parseRecordId } from './address.ts';
import { ExplainDocument, type ExplainQuery, UserChoicesDocument } from './generated.ts';

interface AccessExplainerProps {
  model: string;
  view: AccessView;
  show(changes: AccessView): void;
}

export function AccessExplainer({ model, view, show }: AccessExplainerProps) {
  const { data } = useGraphqlQuery(UserChoicesDocument, {});
  const { user, record, operation = 'read' } = view;
  const explain = (form: FormData) =>
    show({
      user: parseRecordId(form.get('user')),
      record: parseRecordId(form.get('record')),
      operation: parseChoice(ACCESS_KINDS, form.get('operation')),
    });
  return (
    <section className="card admin-stack" aria-label={adminStrings.accessTabs.explain}>
      <Form key={`${data !== undefined} ${user} ${record} ${operation}`} onSubmit={explain}>
        <div className="pair">
          <Select
            name="user"
            label={adminStrings.user}
            required
            defaultValue={user ?? ''}
            options={[
              ['', adminStrings.choose],
              ...(data?.users.nodes ?? []).map(
                ({ id, displayName, login }) => [id, `${displayName} (${login})`] as const,
              ),
            ]}
          />
          <Select
            name="operation"
            label={adminStrings.operation}
            defaultValue={operation}
            options={ACCESS_KINDS.map(
              (accessKind) => [accessKind, adminStrings.operationLabels[accessKind]] as const,
            )}
          />
          <Field
            name="record"
            label={adminStrings.recordId}
            inputMode="numeric"
            pattern="[0-9]*"
            defaultValue={record}
          />
        </div>
        <div className="buttons">
          <Button type="submit" look="primary">
            {adminStrings.explain}
          </Button>
        </div>
      </Form>
      {user && <Explanation model={model} user={user} record={record} operation={operation} />}
    </section>
  );
}

interface ExplanationProps {
  model: string;
  user: string;
  record: string | undefined;
  operation: string;
}

function Explanation({ model, user, record, operation }: ExplanationProps) {
  const ids = record ? [record] : [];
  const { data, refusal, reload } = useGraphqlQuery(ExplainDocument, { model, ids, operation, user });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { allowed, rights, rules, groupsThatWouldHelp: help } = data.explainAccess;
  return (
    <div className="admin-stack" aria-live="polite">
      <p>
        <StatusBadge tone={allowed ? 'good' : 'bad'}>
          {adminStrings.allowed[allowed ? 'yes' : 'no']}
        </StatusBadge>{' '}
        {getReason(data.explainAccess)}
      </p>
      {!allowed && help.length > 0 && <p>{adminStrings.grantingGroups(help.join(', '))}</p>}
      {rights.length > 0 && (
        <>
          <h2>{adminStrings.rights}</h2>
          <ul className="item-rows">
            {rights.map(({ id, name, group, grants }) => (
              <li key={id}>
                <div>
                  {name} <code className="quiet small">{group ?? adminStrings.everyone}</code>
                </div>
                <StatusBadge tone={grants ? 'good' : 'plain'}>
                  {adminStrings.grants[grants ? 'yes' : 'no']}
                </StatusBadge>
              </li>
            ))}
          </ul>
        </>
      )}
      {rules.length > 0 && (
        <>
          <h2>{adminStrings.rules}</h2>
          <ul className="item-rows">
            {rules.map((rule) => (
              <ExplanationRule key={rule.id} rule={rule} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Describes the right or rule that denies access, in the page's language. Empty if access is allowed. */
function getReason({ allowed, decidedBy, missing, rules }: ExplainQuery['explainAccess']): string {
  if (missing.length > 0) return adminStrings.recordNotFound;
  if (allowed) return '';
  if (decidedBy.kind === 'RIGHT') return adminStrings.noGrantingRight;
  if (decidedBy.kind === 'DOCUMENT') return adminStrings.deniedByParent;
  const names = rules.filter(({ id }) => decidedBy.ids.includes(id)).map(({ name }) => name);
  return adminStrings.deniedByRules(names.join(', '));
}

type Rule = ExplainQuery['explainAccess']['rules'][number];

const ExplanationRule = ({ rule: { name, groups, domain, passes, refuses } }: { rule: Rule }) => (
  <li>
    <div>
      {name} <code className="quiet small">{groups.join(', ') || adminStrings.everyone}</code>
    </div>
    {passes.length + refuses.length > 0 && (
      <StatusBadge tone={refuses.length > 0 ? 'bad' : 'good'}>
        {adminStrings.passes[refuses.length > 0 ? 'no' : 'yes']}
      </StatusBadge>
    )}
    <code className="wide">{JSON.stringify(domain)}</code>
  </li>
);
