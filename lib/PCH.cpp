//===- PCH.cpp - Owner of the precompiled header --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Empty on purpose: CMake needs one source to build the header with.
