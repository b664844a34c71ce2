export { touchedWidgets } from './touched.js'
export { widgetRoutes } from './widgets.routes.js'
