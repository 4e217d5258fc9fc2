/**
 * How the tests start Chromium: as people use it, with the back/forward cache that Playwright switches off, but
 * without the lists below the address bar. Each context would load them as two pages of their own, a fifth of all that
 * a test costs. The last list of features counts alone, so Playwright's own (its `chromiumSwitches`) is repeated.
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
