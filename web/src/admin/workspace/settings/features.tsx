import '../workspace.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { ConfirmDialog } from '../../../shell/action-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { refreshViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/form/field.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { adminStrings } from '../strings.ts';
import {
  type Feature,
  FeatureSwitchDocument,
  FeaturesDocument,
  MailFeatureSwitchDocument,
} from './generated.ts';

const FEATURES: Feature[] = ['EMAIL', 'MCP'];

export function Features() {
  const { company } = useSearch({ from: '/admin/features' });
  const navigate = useNavigate({ from: '/admin/features' });
  const { data, refusal, reload } = useLiveQuery(FeaturesDocument, { company }, 'svc.mail.feature');
  const companies = data?.companies.nodes ?? [];
  return (
    <Screen title={adminStrings.features}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="admin-page">
          <section className="card" aria-label={adminStrings.workspaceFeatures}>
            <h2>{adminStrings.workspaceFeatures}</h2>
            <ul className="item-rows">
              {FEATURES.map((feature) => (
                <FeatureSwitch
                  key={feature}
                  name={adminStrings.featureNames[feature]}
                  text={adminStrings.featureTexts[feature]}
                  offText={adminStrings.featureOffTexts[feature]}
                  isOn={data.workspace.features.includes(feature)}
                  onSwitch={async (isOn) => {
                    await runMutation(FeatureSwitchDocument, { feature, on: isOn });
                    await refreshViewer();
                  }}
                />
              ))}
            </ul>
          </section>
          <section className="card" aria-label={adminStrings.mailFeatures}>
            <h2>{adminStrings.mailFeatures}</h2>
            {companies.length > 1 && (
              <Select
                label={adminStrings.company}
                value={company ?? ''}
                options={[
                  ['', adminStrings.yourCompany],
                  ...companies.map(({ id, name }) => [id, name] as const),
                ]}
                onChange={({ target }) => void navigate({ search: { company: target.value || undefined } })}
              />
            )}
            <ul className="item-rows">
              {data.mailAdminChoices.features.map(({ key, label, isOn }) => (
                <FeatureSwitch
                  key={key}
                  name={adminStrings.mailFeatureNames[key] ?? label}
                  text={adminStrings.mailFeatureTexts[key] ?? key}
                  isOn={isOn}
                  onSwitch={async (isOn) => {
                    await runMutation(MailFeatureSwitchDocument, { key, isOn, company });
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
  /** Effect of turning the feature off, shown in the confirmation. */
  offText?: string;
  isOn: boolean;
  onSwitch(isOn: boolean): Promise<void>;
}

function FeatureSwitch({ name, text, offText, isOn, onSwitch }: FeatureSwitchProps) {
  const { isBusy, act } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const set = (isOn: boolean) =>
    act(async () => {
      await onSwitch(isOn);
      showToast(adminStrings.switched(name, isOn));
    });
  const toggle = () => {
    if (isOn && offText) setIsConfirming(true);
    else void set(!isOn);
  };
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className="quiet small">{text}</p>
      </div>
      <StatusBadge tone={isOn ? 'good' : 'plain'}>{adminStrings.onOff[isOn ? 'on' : 'off']}</StatusBadge>
      <Button isBusy={isBusy} onClick={toggle} aria-label={adminStrings.switchNamed(name, !isOn)}>
        {adminStrings.switchLabels[isOn ? 'off' : 'on']}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={adminStrings.switchNamed(name, false)}
          yes={adminStrings.switchLabels.off}
          onYes={() => set(false)}
          text={offText}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}
