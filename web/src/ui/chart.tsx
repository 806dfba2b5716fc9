import 'uplot/dist/uPlot.min.css';
import './chart.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import { formatDay, formatNumber } from '../i18n/format.ts';

interface ChartProps {
  /** One-sentence text alternative. The figures are in a table next to the chart. */
  label: string;
  /** Days of the x axis. If omitted, the x axis shows `names`. */
  days?: string[];
  names?: string[];
  /** Default: line. */
  look?: 'line' | 'bars';
  series: { label: string; values: number[] }[];
}

const CHART_HEIGHT_PX = 260;
/** Distinguishes lines by dash pattern in addition to color. */
const DASHES = [[], [6, 3], [2, 3]];

/** The first fill is lighter than its outline, so that adjacent series differ even without color. */
const FILLS = ['chart-1-fill', 'chart-2', 'chart-3'];

/** Lines with at most this many points mark each point. */
const MAX_MARKED_POINTS = 31;

/** Maximum number of characters in an x axis label. */
const MAX_NAME_LENGTH = 14;

const truncateName = (name = ''): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

/** Draws the bars of several series side by side. */
const buildBars = (index: number, count: number): UPlot.Series.PathBuilder =>
  UPlot.paths.bars!({ size: [0.7 / count, 60], align: count === 1 ? 0 : index === 0 ? -1 : 1 });

/** Axis increments are whole emails and days, because rounded fractions would produce duplicate labels. */
const NUMBER_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((delta) => delta * 10 ** power),
).flat();
const DAY_STEPS = [1, 2, 7, 14, 28, 91].map((days) => days * 86_400);

/**
 * A line chart over days, or a line or bar chart over names. Shows the values under the pointer, or selected with the
 * arrow keys, below the chart.
 */
export function Chart(props: ChartProps) {
  const { label, days, names, series } = props;
  const { box, place, ...handlers } = usePlot(props);
  const placeName = place === null ? undefined : (names?.[place] ?? (days && formatDay(days[place]!)));
  const values = series.map(({ label, values }) => `${label} ${formatNumber(values[place ?? 0] ?? 0)}`);
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys select the values that the status shows */}
      <div ref={box} className="chart" role="img" tabIndex={0} aria-label={label} {...handlers} />
      <p className="chart-values small" role="status">
        {placeName !== undefined && `${placeName}: ${values.join(' · ')}`}
      </p>
    </div>
  );
}

/** Draws the chart, and tracks the selected position on its x axis. */
function usePlot({ days, names, look = 'line', series }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plotRef = useRef<UPlot | undefined>(undefined);
  const [place, setPlace] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current!;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const places = names ? names.map((_name, index) => index) : days!.map((day) => Date.parse(day) / 1000);
    const draw = () => {
      plotRef.current?.destroy();
      plotRef.current = new UPlot(
        buildOptions(element, { names, look, series }, setPlace),
        [places, ...series.map(({ values }) => values)],
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() =>
      plotRef.current?.setSize({ width: element.clientWidth, height: CHART_HEIGHT_PX }),
    );
    observer.observe(element);
    dark.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', draw);
      plotRef.current?.destroy();
    };
  }, [days, names, look, series]);
  const last = (names ?? days!).length - 1;
  const select = (index: number) => plotRef.current && selectPlace(plotRef.current, index);
  const onKeyDown = (event: KeyboardEvent) => {
    const current = place ?? last;
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(Math.min(Math.max(next, 0), last));
  };
  return { box, place, onKeyDown, onFocus: () => select(last), onBlur: () => select(-1) };
}

/** Moves the cursor to a position on the x axis, or off the chart for -1. */
function selectPlace(plot: UPlot, index: number): void {
  const [places, values] = plot.data;
  const isOff = index < 0;
  plot.setCursor({
    left: isOff ? -10 : plot.valToPos(places[index]!, 'x'),
    top: isOff ? -10 : plot.valToPos(values![index]!, 'y'),
  });
}

function buildOptions(
  element: HTMLElement,
  { names, look, series }: Pick<ChartProps, 'names' | 'look' | 'series'>,
  onPlace: (place: number | null) => void,
): UPlot.Options {
  const probe = element.appendChild(document.createElement('i'));
  const getColor = (token: string) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const axis = {
    stroke: getColor('ink-2'),
    grid: { stroke: getColor('line'), width: 1 },
    ticks: { show: false },
  };
  const lines = series.map(({ label }, index) => ({
    label,
    stroke: getColor(`chart-${index + 1}`),
    width: 2,
    points: { show: look === 'line' && series[0]!.values.length <= MAX_MARKED_POINTS, size: 7 },
    ...(look === 'line'
      ? { dash: DASHES[index]! }
      : { fill: getColor(FILLS[index]!), paths: buildBars(index, series.length) }),
  }));
  const day = (seconds: number) => formatDay(new Date(seconds * 1000).toISOString());
  probe.remove();
  return {
    width: element.clientWidth,
    height: CHART_HEIGHT_PX,
    scales: {
      ...(names && { x: { time: false, range: [-0.5, names.length - 0.5] as [number, number] } }),
      y: {
        range: (_plot, min, max) => [Math.min(0, min * 1.1), min < 0 ? max : Math.max(1, max * 1.1)],
      },
    },
    axes: [
      names
        ? {
            ...axis,
            space: 96,
            values: (_plot, splits) => splits.map((index) => truncateName(names[index])),
            incrs: NUMBER_STEPS,
          }
        : { ...axis, values: (_plot, splits) => splits.map(day), incrs: DAY_STEPS },
      { ...axis, values: (_plot, splits) => splits.map(formatNumber), incrs: NUMBER_STEPS },
    ],
    legend: { live: false },
    hooks: { setCursor: [({ cursor }) => onPlace(cursor.idx ?? null)] },
    series: [{}, ...lines],
  };
}
