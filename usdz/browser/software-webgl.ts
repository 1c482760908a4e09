/**
 * Arguments of a Chromium without a graphics card: the processor draws WebGL. It draws all else anyway: straight, not by
 * way of a graphics card's language.
 */
export const SOFTWARE_WEBGL = ['--use-angle=swiftshader-webgl', '--enable-unsafe-swiftshader']
