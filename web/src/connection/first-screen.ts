let isDisplayed = false;

/** True once the page has displayed a screen. Until then, the window is empty. */
export const hasDisplayedScreen = (): boolean => isDisplayed;

export function markScreenDisplayed(): void {
  isDisplayed = true;
}
