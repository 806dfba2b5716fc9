import { useEffect, useRef, useState } from 'react';
import { shellStrings } from '../../shell/strings.ts';
import { Select } from '../../ui/form/field.tsx';
import { PostedFrame } from '../../ui/posted-frame.tsx';
import type { SitePageView, SitePageWidth } from '../address.ts';
import type { Site } from '../site-screen.tsx';
import { siteStrings } from '../strings.ts';
import type { RenderedPreview } from './use-site-preview.ts';

interface SitePreviewProps {
  site: Site;
  name: string;
  renderedPreview: RenderedPreview | undefined;
  /** True if the preview is outdated because the markup has become invalid. */
  isOld: boolean;
  view: SitePageView;
  show(changes: SitePageView): void;
}

/** In pixels. */
const PAGE_WIDTHS_PX: Record<SitePageWidth, number> = { desk: 1280, phone: 390 };

const isNarrowScreen = (): boolean => matchMedia('(max-width: 900px)').matches;

/** Previews a page at desktop or phone width, scaled to fit. */
export function SitePreview({ site, name, renderedPreview, isOld, view, show }: SitePreviewProps) {
  const width = view.width ?? (isNarrowScreen() ? 'phone' : 'desk');
  const box = useRef<HTMLDivElement>(null);
  const [availableWidth, setAvailableWidth] = useState<number>(PAGE_WIDTHS_PX.desk);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setAvailableWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const pixels = PAGE_WIDTHS_PX[width];
  return (
    <section className="site-preview" aria-label={siteStrings.preview}>
      <div className="site-preview-head">
        <Select
          label={siteStrings.width}
          value={width}
          options={Object.entries(siteStrings.widths)}
          onChange={({ target }) => show({ width: target.value as SitePageWidth })}
        />
        {isOld && <p className="quiet small">{siteStrings.previewOutdated}</p>}
        {renderedPreview?.scripts && <p className="quiet small">{siteStrings.scripts}</p>}
      </div>
      <div
        ref={box}
        className="site-preview-paper"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll
        tabIndex={0}
      >
        {renderedPreview ? (
          <div style={{ width: pixels, zoom: Math.min(1, availableWidth / pixels) }}>
            <PostedFrame
              to={`${site.root}/website/preview`}
              html={renderedPreview.body}
              title={siteStrings.previewTitle(name)}
            />
          </div>
        ) : (
          <p role="status">{isOld ? '' : shellStrings.loading}</p>
        )}
      </div>
    </section>
  );
}
