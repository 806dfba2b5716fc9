import '../../operation/operation.css';
import '../workspace.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { refreshViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { RequirePermission } from '../require-permission.tsx';
import { adminWords } from '../words.ts';
import {
  type Feature,
  FeatureSwitchDocument,
  FeaturesDocument,
  MailFeatureSwitchDocument,
} from './generated.ts';

const FEATURES: Feature[] = ['EMAIL', 'MCP'];

/** What the workspace has switched on, and what of mail each company has. */
export const Features = () => (
  <RequirePermission title={adminWords.features} needs="featureSet">
    <FeatureSettings />
  </RequirePermission>
);

function FeatureSettings() {
  const { company } = useSearch({ from: '/admin/features' });
  const navigate = useNavigate({ from: '/admin/features' });
  const { data, refusal, reload } = useGraphqlQuery(FeaturesDocument, { company });
  useReloadOnChange('svc.mail.feature', reload);
  const companies = data?.companies.nodes ?? [];
  return (
    <Screen title={adminWords.features} needs="featureSet">
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && (
        <div className="admin-page">
          <section className="card" aria-label={adminWords.workspaceFeatures}>
            <h2>{adminWords.workspaceFeatures}</h2>
            <ul className="admin-rows">
              {FEATURES.map((feature) => (
                <FeatureSwitch
                  key={feature}
                  name={adminWords.featureNames[feature]}
                  text={adminWords.featureTexts[feature]}
                  offText={adminWords.featureOffTexts[feature]}
                  isOn={data.workspace.features.includes(feature)}
                  onSwitch={async (on) => {
                    await runMutation(FeatureSwitchDocument, { feature, on });
                    await refreshViewer();
                  }}
                />
              ))}
            </ul>
          </section>
          <section className="card" aria-label={adminWords.mailFeatures}>
            <h2>{adminWords.mailFeatures}</h2>
            {companies.length > 1 && (
              <Select
                label={adminWords.company}
                value={company ?? ''}
                options={[
                  ['', adminWords.yourCompany],
                  ...companies.map(({ id, name }) => [id, name] as const),
                ]}
                onChange={({ target }) => void navigate({ search: { company: target.value || undefined } })}
              />
            )}
            <ul className="admin-rows">
              {data.mailAdminChoices.features.map(({ key, label, isOn }) => (
                <FeatureSwitch
                  key={key}
                  name={adminWords.mailFeatureNames[key] ?? label}
                  text={adminWords.mailFeatureTexts[key] ?? key}
                  isOn={isOn}
                  onSwitch={async (on) => {
                    await runMutation(MailFeatureSwitchDocument, { key, isOn: on, company });
                    reload();
                  }}
                />
              ))}
            </ul>
          </section>
        </div>
      )}
    </Screen>
  );
}

interface FeatureSwitchProps {
  name: string;
  text: ReactNode;
  /** What stops; it is asked about before. */
  offText?: string;
  isOn: boolean;
  onSwitch(on: boolean): Promise<void>;
}

function FeatureSwitch({ name, text, offText, isOn, onSwitch }: FeatureSwitchProps) {
  const { isBusy, act } = useAction();
  const [isAsking, setAsking] = useState(false);
  const set = (on: boolean) =>
    act(async () => {
      await onSwitch(on);
      showToast(adminWords.switched(name, on));
    });
  const toggle = () => {
    if (isOn && offText) setAsking(true);
    else void set(!isOn);
  };
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className="quiet small">{text}</p>
      </div>
      <StatusBadge tone={isOn ? 'good' : 'plain'}>{adminWords.onOff[isOn ? 'on' : 'off']}</StatusBadge>
      <Button isBusy={isBusy} onClick={toggle} aria-label={adminWords.switchOf(name, !isOn)}>
        {adminWords.switchTo[isOn ? 'off' : 'on']}
      </Button>
      {isAsking && (
        <Confirm
          title={adminWords.switchOf(name, false)}
          yes={adminWords.switchTo.off}
          no={shellWords.cancel}
          onYes={() => set(false)}
          onClose={() => setAsking(false)}
        >
          <p>{offText}</p>
        </Confirm>
      )}
    </li>
  );
}
