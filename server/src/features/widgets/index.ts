export { widgetRoutes } from './widgets.routes.js'
