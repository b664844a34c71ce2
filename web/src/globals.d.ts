/** Whether `/kit`, which shows every part, is built in. */
declare const __KIT__: boolean
