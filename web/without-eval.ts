/**
 * Patches the KTX2 transcoder to run without eval. Emscripten's embind generates code for each bound function; the patch
 * uses closures instead, like its setting DYNAMIC_EXECUTION=0
 * (https://emscripten.org/docs/tools_reference/settings_reference.html#dynamic-execution).
 * @throws if the file differs from the version this was written for
 */
export function withoutEval(transcoder: string): string {
  let made = transcoder
  for (const [text, instead] of REPLACED) {
    if (made.split(text).length !== 2)
      throw new Error(`The transcoder has no single "${text}": adapt this file to its new version`)
    made = made.replace(text, () => instead)
  }
  return `${CHANGED}\n${made}`
}

/** The Apache License (4b) requires that changed files say so. Builds keep comments that begin with an exclamation mark. */
const CHANGED = '/*! Transcoder of Basis Universal, Binomial LLC, Apache-2.0. Changed by Cairn: runs without eval. */'

/** Names match the functions that are replaced. */
const REPLACED = [
  [
    'var invokerFn=newFunc(Function,args)(...closureArgs);',
    `var invokerFn=function(...given){
      if(given.length!==argCount-2)throwBindingError("function "+humanName+" called with "+given.length+" arguments, expected "+(argCount-2));
      var destructors=needsDestructorStack?[]:null;
      var wired=isClassMethodFunc?[argTypes[1].toWireType(destructors,this)]:[];
      for(var i=2;i<argCount;++i)wired.push(argTypes[i].toWireType(destructors,given[i-2]));
      var rv=cppInvokerFunc(cppTargetFunc,...wired);
      if(needsDestructorStack)runDestructors(destructors);
      else for(var i=isClassMethodFunc?1:2;i<argCount;++i)
        if(argTypes[i].destructorFunction!==null)argTypes[i].destructorFunction(wired[isClassMethodFunc?i-1:i-2]);
      if(returns)return argTypes[0].fromWireType(rv)
    };`,
  ],
  [
    'var invokerFunction=newFunc(Function,params)(...args);',
    `var invokerFunction=(obj,func,destructorsRef,at)=>{
      var values=types.map(type=>{var value=type.readValueFromPointer(at);at+=type.argPackAdvance;return value});
      var rv=kind===1?new func(...values):kind===0?func.call(obj,...values):func.call(...values);
      if(!retType.isVoid)return emval_returnValue(retType,destructorsRef,rv)
    };`,
  ],
] as const
