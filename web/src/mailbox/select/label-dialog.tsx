import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Label } from '../address.ts';
import { LabelDot } from '../labels.tsx';
import { mailStrings } from '../strings.ts';

interface LabelDialogProps {
  mailbox: string;
  labels: readonly Label[];
  has: readonly string[];
  onLabel(id: string, isOn: boolean): void;
  onClose(): void;
}

export const LabelDialog = ({ mailbox, labels, has, onLabel, onClose }: LabelDialogProps) => (
  <Dialog title={mailStrings.labels} onClose={onClose}>
    {labels.length === 0 && <p>{mailStrings.noLabels}</p>}
    <div className="label-choices">
      {labels.map(({ id, name, color }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={has.includes(id)}
            onChange={({ target }) => onLabel(id, target.checked)}
          />
          <LabelDot color={color} />
          <bdi>{name}</bdi>
        </label>
      ))}
    </div>
    <p>
      <Link to="/mail/settings/$section" params={{ section: 'labels' }} search={{ mailbox: Number(mailbox) }}>
        {mailStrings.manageLabels}
      </Link>
    </p>
    <div className="buttons">
      <Button onClick={onClose}>{mailStrings.done}</Button>
    </div>
  </Dialog>
);
