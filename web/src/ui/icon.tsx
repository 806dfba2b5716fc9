import './icon.css';

const paths = {
  archive: 'M4 4h16v4H4zM5 8v12h14V8M10 12h4',
  alignCenter: 'M4 5h16M7 12h10M4 19h16',
  alignRight: 'M4 5h16M10 12h10M4 19h16',
  attach: 'M8 12V7a4 4 0 0 1 8 0v9a2.5 2.5 0 0 1-5 0V8',
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  bullets: 'M10 6h10M10 12h10M10 18h10M4.5 6h.5M4.5 12h.5M4.5 18h.5',
  button: 'M3 8h18v8H3zM8 12h8',
  check: 'M5 12l5 5 9-10',
  clear: 'M9 20h11M5 14l8-9 6 5-8 10H8zM9 9.5l6 5.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M12 5v14M6 13l6 6 6-6',
  divider: 'M3 12h18',
  expand: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  columns: 'M4 5h16v14H4zM9 5v14M15 5v14',
  external: 'M14 4h6v6M20 4l-9 9M10 5H5v14h14v-5',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  forward: 'M14 6l6 6-6 6M20 12H10c-4 0-6 2-6 6',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  grid: 'M4 4h16v16H4zM4 10h16M10 4v16',
  indent: 'M4 5h16M12 12h8M4 19h16M4 9l4 3-4 3',
  inbox: 'M4 5h16v14H4zM4 14h5l1 2h4l1-2h5',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3',
  label: 'M4 4h8l8 8-8 8-8-8zM8 8h.5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 12h.5M12 12h.5M19 12h.5',
  pen: 'M4 20l4-1 11-11-3-3L5 16zM14 6l3 3',
  minimize: 'M5 18h14',
  outdent: 'M4 5h16M12 12h8M4 19h16M8 9l-4 3 4 3',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1-1v4M4 16h2l-2 3h2',
  picture: 'M4 5h16v14H4zM4 17l5-5 4 4 3-3 4 4M15 8.5h.5',
  plus: 'M12 5v14M5 12h14',
  quote: 'M10 7H5v6h5zM10 13c0 2-1 4-4 5M19 7h-5v6h5zM19 13c0 2-1 4-4 5',
  refresh: 'M19 8a8 8 0 1 0 1 5M20 4v5h-5',
  reply: 'M10 6 4 12l6 6M4 12h10c4 0 6 2 6 6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  send: 'M4 12 20 4l-5 16-4-6-7-2zM11 14l4-4',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  spacer: 'M12 5v14M8 9l4-4 4 4M8 15l4 4 4-4M4 2h16M4 22h16',
  spam: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16v.5',
  star: 'm12 3 2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2 6.4 20.3l1.2-6.3L3 9.6l6.3-.8z',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  unsubscribe: 'M3 6h18v6M3 6v13h9M3 7l9 7 6-4M16 16l5 5M21 16l-5 5',
  up: 'M12 19V5M6 11l6-6 6 6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  warning: 'M12 4 2 20h20zM12 10v5M12 17v.5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, fill }: { name: IconName; fill?: boolean }) => (
  <svg className={fill ? 'icon fill' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
