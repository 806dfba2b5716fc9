import { useEffect, useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { siteStrings } from '../strings.ts';
import type { PageMarkup } from './facts.ts';
import { SitePageMarkupDocument } from './generated.ts';

interface SitePageConflictProps {
  id: string;
  site: string;
  lang: string | undefined;
  onMine(version: number): void;
  onTheirs(markup: PageMarkup): void;
  onClose(): void;
}

export function SitePageConflict({ id, site, lang, onMine, onTheirs, onClose }: SitePageConflictProps) {
  const [theirs, setTheirs] = useState<PageMarkup>();
  useEffect(() => {
    // Bypasses the cache, which may not contain the other user's change.
    void runQuery(SitePageMarkupDocument, { id, site, lang }).then((data) =>
      setTheirs(data.websitePageMarkup),
    );
  }, [id, site, lang]);
  return (
    <Dialog title={siteStrings.conflict} onClose={onClose}>
      {theirs ? (
        <>
          <p>{siteStrings.conflictText(theirs.version)}</p>
          <DialogButtons onClose={onClose}>
            <Button look="primary" onClick={() => onMine(theirs.version)}>
              {siteStrings.keepMyVersion}
            </Button>
            <Button onClick={() => onTheirs(theirs)}>{siteStrings.takeTheirVersion}</Button>
          </DialogButtons>
        </>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
