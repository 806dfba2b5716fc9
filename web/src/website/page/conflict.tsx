import { useEffect, useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { siteWords } from '../words.ts';
import type { PageMarkup } from './facts.ts';
import { SitePageMarkupDocument } from './generated.ts';

interface SitePageConflictProps {
  id: string;
  site: string;
  lang: string | undefined;
  /** Saves over that version. */
  onMine(version: number): void;
  onTheirs(markup: PageMarkup): void;
  onClose(): void;
}

/** Somebody else has saved the page meanwhile: whose markup is it to have? */
export function SitePageConflict({ id, site, lang, onMine, onTheirs, onClose }: SitePageConflictProps) {
  const [theirs, setTheirs] = useState<PageMarkup>();
  useEffect(() => {
    // Past what is kept: what they saved may be newer than what this browser has heard of.
    void runQuery(SitePageMarkupDocument, { id, site, lang }).then((data) =>
      setTheirs(data.websitePageMarkup),
    );
  }, [id, site, lang]);
  return (
    <Dialog title={siteWords.conflict} onClose={onClose}>
      {theirs ? (
        <>
          <p>{siteWords.conflictText(theirs.version)}</p>
          <div className="buttons">
            <Button look="primary" onClick={() => onMine(theirs.version)}>
              {siteWords.keepMine}
            </Button>
            <Button onClick={() => onTheirs(theirs)}>{siteWords.takeTheirs}</Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </>
      ) : (
        <p role="status">{shellWords.loading}</p>
      )}
    </Dialog>
  );
}
