/** The package names types that it does not bring along. */
declare module '@getodk/web-forms' {
  import type { Component, Plugin } from 'vue'

  export const webFormsPlugin: Plugin
  export const OdkWebForm: Component
}
