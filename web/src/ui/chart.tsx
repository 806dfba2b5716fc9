import 'uplot/dist/uPlot.min.css';
import './chart.css';
import { useEffect, useRef } from 'react';
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

/** Points are marked on lines with at most this many points. */
const MAX_MARKED_POINTS = 31;

/** Characters in an x axis label. */
const MAX_NAME_LENGTH = 14;

const truncateName = (name = ''): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

/** Draws the bars of several series side by side. */
const buildBars = (index: number, count: number): UPlot.Series.PathBuilder =>
  UPlot.paths.bars!({ size: [0.7 / count, 60], align: count === 1 ? 0 : index === 0 ? -1 : 1 });

/** Axis increments: whole emails and days, because rounded fractions would produce duplicate labels. */
const NUMBER_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((delta) => delta * 10 ** power),
).flat();
const DAY_STEPS = [1, 2, 7, 14, 28, 91].map((days) => days * 86_400);

/** Shows lines over days, or lines or bars over names. */
export function Chart({ label, days, names, look = 'line', series }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let plot: UPlot | undefined;
    const places = names ? names.map((_name, index) => index) : days!.map((day) => Date.parse(day) / 1000);
    const draw = () => {
      plot?.destroy();
      plot = new UPlot(
        buildOptions(element, { names, look, series }),
        [places, ...series.map(({ values }) => values)],
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: CHART_HEIGHT_PX }),
    );
    observer.observe(element);
    dark.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [days, names, look, series]);
  return <div ref={box} className="chart" role="img" aria-label={label} />;
}

function buildOptions(
  element: HTMLElement,
  { names, look, series }: Pick<ChartProps, 'names' | 'look' | 'series'>,
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
    series: [{}, ...lines],
  };
}
