export { stopLapsedKeys } from './lapsed.js'
export { touchedWidgets } from './touched.js'
export { widgetRoutes } from './widgets.routes.js'
export { createWidget } from './widgets.service.js'
