import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmButton } from '../../shell/action-buttons.tsx';
import { Loading, LoadStatus } from '../../shell/loading.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox } from '../../ui/form/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { assertOk } from '../mail-outcome.ts';
import {
  MailRuleDeleteDocument,
  MailRuleLikeDocument,
  MailRuleListDocument,
  MailRuleSetActiveDocument,
  MailRulesReorderDocument,
} from './generated.ts';
import { RuleEditor, type RuleEditorProps } from './rule-editor.tsx';
import { createRuleForm, type MailRule, toRuleForm } from './rule-form.ts';
import { describeActions, describeConditions } from './rule-text.ts';
import { settingsStrings } from './strings.ts';

export function Rules({ mailbox }: { mailbox: string }) {
  const { rule: edited, like } = useSearch({ from: '/mail/settings/$section' });
  const navigate = useNavigate({ from: '/mail/settings/$section' });
  const { data, refusal, reload } = useGraphqlQuery(MailRuleListDocument, { mailbox });
  const close = () => void navigate({ search: ({ mailbox: at }) => ({ mailbox: at }), ignoreBlocker: true });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { rules, maxRules } = data.mailRuleList;
  const old = rules.find(({ id, editable }) => editable && Number(id) === edited);
  const saved = () => {
    showToast(settingsStrings.saved);
    reload();
    close();
  };
  const editor = { mailbox, targets: data.mailRuleList, onSaved: saved, onClose: close };
  if (old) return <RuleEditor key={old.id} {...editor} old={old} first={toRuleForm(old)} />;
  if (edited === 'new' && like) return <RuleFromMessage {...editor} message={String(like)} />;
  if (edited === 'new') return <RuleEditor {...editor} first={createRuleForm()} />;
  return (
    <>
      <div className="buttons">
        {rules.length < maxRules ? (
          <Link
            className="button primary"
            to="/mail/settings/$section"
            params={{ section: 'rules' }}
            search={(old) => ({ ...old, rule: 'new' as const })}
          >
            {settingsStrings.newRule}
          </Link>
        ) : (
          <p className="quiet">{settingsStrings.tooManyRules}</p>
        )}
      </div>
      {edited !== undefined && <p role="alert">{settingsStrings.ruleNotFound}</p>}
      {rules.length === 0 && (
        <EmptyState title={settingsStrings.noRules} text={settingsStrings.noRulesText} />
      )}
      <ol className="card-list rule-list">
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.id}
            mailbox={mailbox}
            rule={rule}
            targets={data.mailRuleList}
            rules={rules}
            at={index}
            reload={reload}
          />
        ))}
      </ol>
    </>
  );
}

function RuleFromMessage({ message, ...editor }: Omit<RuleEditorProps, 'first'> & { message: string }) {
  const { data, refusal } = useGraphqlQuery(MailRuleLikeDocument, { message });
  if (!data && !refusal) return <Loading />;
  return <RuleEditor {...editor} first={createRuleForm(data?.mailMessage?.from)} />;
}

interface RuleRowProps {
  mailbox: string;
  rule: MailRule;
  targets: RuleEditorProps['targets'];
  rules: readonly MailRule[];
  at: number;
  reload(): void;
}

function RuleRow({ mailbox, rule, targets, rules, at, reload }: RuleRowProps) {
  const { id, name, active, editable } = rule;
  const { act } = useAction();
  const move = (delta: number) =>
    act(async () => {
      const ids = rules.map((rule) => rule.id);
      ids.splice(at + delta, 0, ...ids.splice(at, 1));
      assertOk((await runMutation(MailRulesReorderDocument, { mailbox, ids })).mailRulesReorder);
      reload();
    });
  const setActive = (active: boolean) =>
    act(async () => {
      assertOk((await runMutation(MailRuleSetActiveDocument, { mailbox, id, active })).mailRuleSetActive);
      reload();
    });
  const remove = async () => {
    assertOk((await runMutation(MailRuleDeleteDocument, { mailbox, id })).mailRuleDelete);
    reload();
  };
  return (
    <li className="card">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p className="quiet small">{settingsStrings.ruleConditions(describeConditions(rule))}</p>
        <p className="quiet small">{settingsStrings.ruleActions(describeActions(rule, targets))}</p>
      </div>
      {editable ? (
        <>
          <Checkbox
            label={settingsStrings.enabled}
            aria-label={settingsStrings.enableRule(name)}
            checked={active}
            onChange={({ target }) => setActive(target.checked)}
          />
          <IconButton
            icon="up"
            look="plain"
            label={settingsStrings.moveRuleUp(name)}
            disabled={at === 0}
            onClick={() => move(-1)}
          />
          <IconButton
            icon="down"
            look="plain"
            label={settingsStrings.moveRuleDown(name)}
            disabled={at === rules.length - 1}
            onClick={() => move(1)}
          />
          <EditRuleLink id={id} name={name} />
          <ConfirmButton
            isIcon
            look="plain"
            label={settingsStrings.deleteNamed(name)}
            title={settingsStrings.deleteNamed(name)}
            text={settingsStrings.deleteRuleText}
            yes={settingsStrings.delete}
            onYes={remove}
          />
        </>
      ) : (
        <span className="quiet small">{settingsStrings.managedByAdministrator}</span>
      )}
    </li>
  );
}

const EditRuleLink = ({ id, name }: Pick<MailRule, 'id' | 'name'>) => (
  <Link
    className="button plain"
    to="/mail/settings/$section"
    params={{ section: 'rules' }}
    search={(old) => ({ ...old, rule: Number(id) })}
    aria-label={settingsStrings.editNamed(name)}
  >
    {settingsStrings.edit}
  </Link>
);
