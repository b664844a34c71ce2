// The settings of Collect that a code may carry. The app skips a value that it does not know and refuses a whole code for a
// value of another type, so every one is named here with what it takes.

/** Settings of which one of several words is chosen. */
export const generalChoices = {
  form_update_mode: ['manual', 'previously_downloaded', 'match_exactly'],
  periodic_form_updates_check: ['every_fifteen_minutes', 'every_one_hour', 'every_six_hours', 'every_24_hours'],
  autosend: ['off', 'wifi_only', 'cellular_only', 'wifi_and_cellular'],
  image_size: ['original_image_size', 'large', 'medium', 'small', 'very_small'],
  constraint_behavior: ['on_swipe', 'on_finalize'],
  guidance_hint: ['no', 'yes', 'yes_collapsed'],
  navigation: ['swipe', 'buttons', 'swipe_buttons'],
  font_size: ['13', '17', '21', '25', '29'],
  basemap_source: ['google', 'mapbox', 'osm', 'usgs', 'carto'],
} as const

/** Settings that are on or off. */
export const generalSwitches = [
  'automatic_update',
  'delete_send',
  'hide_old_form_versions',
  'high_resolution',
  'background_location',
  'analytics',
] as const

/** What people may do in the app; false hides it. */
export const adminSwitches = [
  'edit_saved',
  'send_finalized',
  'view_sent',
  'get_blank',
  'delete_saved',
  'change_server',
  'access_settings',
  'change_language',
  'jump_to',
  'save_mid',
  'save_as_draft',
  'finalize_in_form_entry',
  'bulk_finalize',
  'moving_backwards',
  'change_autosend',
  'change_form_metadata',
] as const
