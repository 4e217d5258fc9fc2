/**
 * Starts Chromium as users run it, with the back/forward cache that Playwright disables, but without the lists below the address bar: each
 * context would load them as two extra pages, a fifth of a test's time. Only the last --disable-features counts, so Playwright's own list
 * (`chromiumSwitches`) is repeated.
 */
export const IGNORED_ARGUMENTS = ['--disable-back-forward-cache']
export const BROWSER_ARGUMENTS = [
  `--disable-features=${[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'AimEnabled',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'TcpPortRandomizationWin',
    'ThirdPartyStoragePartitioning',
  ].join(',')}`,
]
