import '../workspace.css';
import { runMutation } from '../../../graphql/client.ts';
import { ActionForm } from '../../../shell/action-form.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { adminStrings } from '../strings.ts';
import { AgentRules } from './agent-rules.tsx';
import {
  AddressReserveDocument,
  MailPolicySaveDocument,
  PoliciesDocument,
  type PoliciesQuery,
} from './generated.ts';

export function Policies() {
  const { data, refusal, reload } = useGraphqlQuery(PoliciesDocument, {});
  return (
    <Screen title={adminStrings.policies}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="admin-page">
          <AgentRules rules={data.agentPolicy} reload={reload} />
          <section className="card" aria-label={adminStrings.mailPolicies}>
            <h2>{adminStrings.mailPolicies}</h2>
            {data.mailAdminChoices.policies.map((policy) => (
              <MailPolicy key={policy.key} policy={policy} reload={reload} />
            ))}
          </section>
          <ReservedAddresses reserved={data.mailAdminChoices.reserved} reload={reload} />
        </div>
      )}
    </Screen>
  );
}

const AUDIENCES = ['administrators', 'everyone'] as const;

interface MailPolicyProps {
  policy: PoliciesQuery['mailAdminChoices']['policies'][number];
  reload(): void;
}

/** A choice is saved immediately. */
function MailPolicy({ policy: { key, value }, reload }: MailPolicyProps) {
  const { isBusy, act } = useAction();
  const save = (selected: string) =>
    act(async () => {
      await runWithToast(MailPolicySaveDocument, { key, value: selected }, adminStrings.saved);
      reload();
    });
  return (
    <Select
      label={adminStrings.mailPolicyNames[key] ?? key}
      hint={adminStrings.mailPolicyTexts[key]}
      value={value}
      disabled={isBusy}
      options={AUDIENCES.map((audience) => [audience, adminStrings.allowedUsers[audience]] as const)}
      onChange={({ target }) => void save(target.value)}
    />
  );
}

interface ReservedAddressesProps {
  reserved: PoliciesQuery['mailAdminChoices']['reserved'];
  reload(): void;
}

function ReservedAddresses({ reserved, reload }: ReservedAddressesProps) {
  const { act } = useAction();
  const customAddresses = reserved.filter(({ isAlways }) => !isAlways);
  const always = reserved.filter(({ isAlways }) => isAlways).map(({ local }) => local);
  const add = async (form: FormData, _version: number | undefined, element: HTMLFormElement) => {
    await runMutation(AddressReserveDocument, { local: getText(form, 'local'), isReserved: true });
    element.reset();
    reload();
  };
  const releaseAddress = (local: string) =>
    act(async () => {
      await runMutation(AddressReserveDocument, { local, isReserved: false });
      reload();
    });
  return (
    <section className="card" aria-label={adminStrings.reservedAddresses}>
      <h2>{adminStrings.reservedAddresses}</h2>
      <p className="quiet">{adminStrings.reservedAddressesText}</p>
      {customAddresses.length === 0 && <p>{adminStrings.noReservedAddresses}</p>}
      <ul className="item-rows">
        {customAddresses.map(({ local }) => (
          <li key={local}>
            <div>
              <code>{local}@</code>
            </div>
            <Button
              look="ghost"
              aria-label={adminStrings.releaseNamed(local)}
              onClick={() => releaseAddress(local)}
            >
              {adminStrings.release}
            </Button>
          </li>
        ))}
      </ul>
      <ActionForm
        className="admin-add"
        submit={adminStrings.add}
        look="plain"
        errorField="local"
        onSubmit={add}
      >
        <Field
          name="local"
          label={adminStrings.reserve}
          hint={adminStrings.reserveHint}
          required
          autoCapitalize="off"
        />
      </ActionForm>
      <p className="quiet small">{adminStrings.alwaysReserved(always.join(', '))}</p>
    </section>
  );
}
