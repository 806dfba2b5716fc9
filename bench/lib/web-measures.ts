// Scripts that take measurements in the page.

export const FIRST_ROWS_SCRIPT = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.email-row')) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** How long to wait for an element to appear. */
const MAX_WAIT_MS = 30_000;

/**
 * Starts a measurement: `window.shown` resolves to the milliseconds from the next key press or `jumped` event until an
 * element is in the page.
 * @param extra additional condition on the matched element, as a script
 */
export const buildShownScript = (
  selector: string,
  extra = '',
  isJump = false,
): string => `void (window.shown = new Promise((resolve, reject) => {
  let begun;
  setTimeout(() => reject(new Error(begun ? 'not shown' : 'no key came')), ${MAX_WAIT_MS});
  const begin = (event) => {
    begun = event.timeStamp;
    const look = () => {
      if (document.querySelector('${selector}')${extra}) resolve(performance.now() - begun);
      else setTimeout(look, 0);
    };
    queueMicrotask(() => (${isJump} ? requestAnimationFrame(look) : look()));
  };
  addEventListener('${isJump ? 'jumped' : 'keydown'}', begin, { once: true, capture: true });
}))`;

/** Records tasks longer than 50 ms. */
export const LONG_TASKS_SCRIPT = `(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
})()`;

/**
 * Scrolls a list at the given speed (px/s) and records for each frame its duration and whether rows were not loaded.
 */
export const buildFramesScript = (speed: number, distance: number): string => `new Promise((resolve) => {
  const list = document.querySelector('.virtual-list');
  const times = [];
  let unloaded = 0;
  const begun = performance.now();
  let last = begun;
  const isInSight = (row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    return bottom > box.top && top < box.bottom;
  };
  const frame = (now) => {
    if (now > last) times.push(now - last);
    last = now;
    if ([...list.querySelectorAll('.ghost')].some(isInSight)) unloaded++;
    list.scrollTop = ((now - begun) / 1000) * ${speed};
    if (list.scrollTop < ${distance}) return requestAnimationFrame(frame);
    times.sort((a, b) => a - b);
    resolve({ p95: times[Math.floor(times.length * 0.95)], unloaded, frames: times.length });
  };
  requestAnimationFrame(frame);
})`;
