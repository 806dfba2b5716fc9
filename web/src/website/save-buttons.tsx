import { Button } from '../ui/button.tsx';
import { siteStrings } from './strings.ts';

interface SaveButtonsProps {
  isBusy: boolean;
  isDirty: boolean;
  /** Keeps the buttons visible while the form scrolls. */
  isSticky?: boolean;
  onReset(): void;
}

export const SaveButtons = ({ isBusy, isDirty, isSticky = false, onReset }: SaveButtonsProps) => (
  <div className={isSticky ? 'buttons sticky' : 'buttons'}>
    <Button type="submit" look="primary" isBusy={isBusy} disabled={!isDirty}>
      {siteStrings.save}
    </Button>
    {isDirty && (
      <Button type="reset" onClick={onReset}>
        {siteStrings.discard}
      </Button>
    )}
  </div>
);
