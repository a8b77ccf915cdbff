//===- ToolMains.h - The bodies of the tools --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_TOOLMAINS_H
#define MODELWRIGHT_TOOLS_TOOLMAINS_H

namespace modelwright {

/// Each returns the tool's exit code: 0 good, 1 bad input, 2 usage.
int modelOptMain(int argc, char **argv);
int modelTranslateMain(int argc, char **argv);
int modelInfoMain(int argc, char **argv);
int modelCompileMain(int argc, char **argv);
/// Also 3: outputs differ from what they were compared with.
int modelRunMain(int argc, char **argv);

/// Sets --version and the bug report message, makes a file size limit a failed
/// write and hides the options that come with LLVM's library; parses nothing.
/// Call before other options are registered.
void initTool(int &argc, char **&argv);

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_TOOLMAINS_H
