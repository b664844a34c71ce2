export {
  type Config,
  ConfigError,
  defineSettings,
  environment,
  loadConfig,
  type SettingInForce,
  type SettingsGroup,
} from './config.js'
export { configurationMarkdown, configurationText } from './describe.js'
export * as setting from './setting.js'
